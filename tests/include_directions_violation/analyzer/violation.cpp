#include "collector/x.h"
