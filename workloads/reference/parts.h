#pragma once

#include <cstddef>
#include <vector>

#include "workloads/kernels/qkv_rows.h"
#include "workloads/kernels/rotary.h"

/// The pieces of a decoder's step in double precision and plain loops, each beside its way back.
/// What the fast kernels do in tiles, fused and rounded, stands here as the formulas have it.
namespace perf::workloads::reference {

using Values = std::vector<double>;  // matrices row by row

/// RMSNorm: out (rows,columns) = in / sqrt(mean(in^2) + epsilon) * gain (columns).
void rms_norm(const Values& in, const double* gain, double epsilon, std::size_t columns,
              Values& out);
/// Adds the gradient of `in` to grad_in, and the gain's to grad_gain unless that is null.
void rms_norm_backward(const Values& in, const double* gain, double epsilon, std::size_t columns,
                       const Values& grad_out, Values& grad_in, double* grad_gain);

/// SwiGLU: out (rows,inner) = silu(gate) * up, from gate_up (rows,2*inner).
void swiglu(const Values& gate_up, std::size_t inner, Values& out);
/// Sets grad_gate_up.
void swiglu_backward(const Values& gate_up, std::size_t inner, const Values& grad_out,
                     Values& grad_gate_up);

/// The angle by which RoPE turns pair i of a head from one position to the next: theta^(-2i/size),
/// scaled by wave lengths, as transformers' _compute_llama3_parameters() has it.
double rotary_angle(double theta, const RopeScaling& scaling, std::size_t size, std::size_t i);

/// RoPE: turns the pair (i, i + size/2) of every query and key in qkv (rows,width) by the angle
/// position * rotary_angle() * direction. The way back turns the gradient with direction -1.
void rotate(const QkvRows& shape, double theta, const RopeScaling& scaling, double direction,
            Values& qkv);

/// out (rows,query_width) = softmax(q k^T / sqrt(size)) v over the positions up to a row's own.
void attend(const QkvRows& shape, const Values& qkv, Values& out);
/// Sets grad_qkv (rows,width).
void attend_backward(const QkvRows& shape, const Values& qkv, const Values& grad_out,
                     Values& grad_qkv);

/// Turns `count` values into the softmax of them; returns log(sum(exp(values))).
double softmax(double* values, std::size_t count);

}  // namespace perf::workloads::reference
