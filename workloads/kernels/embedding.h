#pragma once

#include <cstddef>

namespace perf::workloads {

/// out (rows,width) = the rows of table (vocabulary,width) that `tokens` name.
template <class T>
void embed(const T* table, const int* tokens, std::size_t rows, std::size_t width, T* out);

/// Rows that embed_backward() adds up before it rounds.
inline constexpr std::size_t kEmbeddingChunk = 4096;

/// Adds each row of grad (rows,width) to the row of grad_table (vocabulary,width) that its token
/// names. A token that comes several times gets the sum, taken in single precision in the order of
/// the rows, whatever the number of threads, and rounded into T once every kEmbeddingChunk rows.
template <class T>
void embed_backward(const T* grad, const int* tokens, std::size_t rows, std::size_t width,
                    T* grad_table);

}  // namespace perf::workloads
