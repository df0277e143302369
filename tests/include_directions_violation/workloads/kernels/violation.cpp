#include "workloads/training/finetuning.h"
