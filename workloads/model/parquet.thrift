// SPDX-License-Identifier: Apache-2.0
// What a file of tensors has of Parquet's footer and page headers. Field numbers are those of
// apache/parquet-format, src/main/thrift/parquet.thrift; other fields are skipped. Fields that are enums there are i32
// here, as they are on the wire: a C++ enum must not hold an unknown number.
namespace cpp perf.workloads.parquet

enum Type { INT32 = 1, INT64 = 2, FLOAT = 4, DOUBLE = 5, FIXED_LEN_BYTE_ARRAY = 7 }
enum Repetition { REQUIRED = 0, OPTIONAL = 1, REPEATED = 2 }
enum Encoding { PLAIN = 0, RLE = 3 }
enum Codec { UNCOMPRESSED = 0 }
enum PageType { DATA_PAGE = 0, DATA_PAGE_V2 = 3 }

struct Float16Type {}
union LogicalType { 15: Float16Type FLOAT16 }

struct SchemaElement {
  1: optional i32 type
  2: optional i32 type_length
  3: optional i32 repetition_type
  4: required string name
  5: optional i32 num_children
  10: optional LogicalType logicalType
}

struct KeyValue {
  1: required string key
  2: optional string value
}

struct ColumnMetaData {
  1: required i32 type
  2: required list<i32> encodings
  3: required list<string> path_in_schema
  4: required i32 codec
  5: required i64 num_values
  6: required i64 total_uncompressed_size
  7: required i64 total_compressed_size
  9: required i64 data_page_offset
  11: optional i64 dictionary_page_offset
}

struct ColumnChunk {
  1: optional string file_path
  2: required i64 file_offset
  3: optional ColumnMetaData meta_data
}

struct RowGroup {
  1: required list<ColumnChunk> columns
  2: required i64 total_byte_size
  3: required i64 num_rows
}

struct FileMetaData {
  1: required i32 version
  2: required list<SchemaElement> schema
  3: required i64 num_rows
  4: required list<RowGroup> row_groups
  5: optional list<KeyValue> key_value_metadata
  6: optional string created_by
}

struct DataPageHeader {
  1: required i32 num_values
  2: required i32 encoding
  3: required i32 definition_level_encoding
  4: required i32 repetition_level_encoding
}

struct DataPageHeaderV2 {
  1: required i32 num_values
  2: required i32 num_nulls
  3: required i32 num_rows
  4: required i32 encoding
  5: required i32 definition_levels_byte_length
  6: required i32 repetition_levels_byte_length
}

struct PageHeader {
  1: required i32 type
  2: required i32 uncompressed_page_size
  3: required i32 compressed_page_size
  5: optional DataPageHeader data_page_header
  8: optional DataPageHeaderV2 data_page_header_v2
}
