// Run by tests/workloads/peers/hyparquet.
//   same PARQUET SAFETENSORS   exits with 1 where a tensor differs in name, dtype, shape or a byte
//   equal SAFETENSORS SAFETENSORS
//   write SAFETENSORS PARQUET  by hyparquet-writer: lists in groups, data pages of version 2
import fs from 'node:fs'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { parquetWriteFile } from 'hyparquet-writer'

function readSafetensors(path) {
  const file = fs.readFileSync(path)
  const start = 8 + Number(file.readBigUInt64LE())
  const { __metadata__, ...header } = JSON.parse(file.toString('utf8', 8, start))
  return Object.entries(header).map(([name, { dtype, shape, data_offsets: [begin, end] }]) =>
    ({ name, dtype, shape, bytes: file.subarray(start + begin, start + end) }))
}

function halfBits(value) { // of a number that is one
  const bits = new Uint32Array(Float32Array.of(value).buffer)[0]
  const sign = bits >>> 16 & 0x8000
  const magnitude = Math.abs(value)
  return magnitude < 2 ** -14 ? sign | magnitude * 2 ** 24 : sign | (bits & 0x7fffffff) - (112 << 23) >>> 13
}

function bytesOf(values, dtype) {
  if (dtype === 'F32') return Buffer.from(Float32Array.from(values).buffer)
  if (dtype === 'F16') return Buffer.from(Uint16Array.from(values, halfBits).buffer)
  return Buffer.concat(values)
}

async function readParquet(path) {
  const file = await asyncBufferFromFile(path)
  const { key_value_metadata: pairs } = await parquetMetadataAsync(file)
  const [row, ...more] = await parquetReadObjects({ file, utf8: false })
  if (more.length) throw new Error('more than one row')
  const tensors = JSON.parse(pairs.find(({ key }) => key === 'tensors').value)
  return Object.entries(row).map(([name, values]) => {
    const { dtype, shape, modality } = tensors[name]
    if (modality !== 'text') throw new Error(`${name}: modality ${modality}`)
    return { name, dtype, shape, bytes: bytesOf(values, dtype) }
  })
}

function write(tensors, filename) {
  const schema = [{ name: 'model', num_children: tensors.length }]
  const columnData = []
  const described = {}
  for (const { name, dtype, shape, bytes } of tensors) {
    const element = dtype === 'F32'
      ? { type: 'FLOAT' }
      : { type: 'FIXED_LEN_BYTE_ARRAY', type_length: shape[1] * 2 }
    const values = dtype === 'F32'
      ? Array.from(new Float32Array(Uint8Array.from(bytes).buffer))
      : Array.from({ length: shape[0] }, (_, i) => Uint8Array.from(bytes.subarray(i * shape[1] * 2, (i + 1) * shape[1] * 2)))
    schema.push(
      { name, repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST' },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      { name: 'element', repetition_type: 'REQUIRED', ...element })
    columnData.push({ name, data: [values], encoding: 'PLAIN' })
    described[name] = { dtype, shape }
  }
  const kvMetadata = [{ key: 'tensors', value: JSON.stringify(described) }]
  parquetWriteFile({ filename, schema, columnData, kvMetadata, codec: 'UNCOMPRESSED', statistics: false })
}

const [command, first, second] = process.argv.slice(2)
if (command === 'write') {
  write(readSafetensors(first), second)
} else {
  const found = command === 'same' ? await readParquet(first) : readSafetensors(first)
  const wanted = new Map(readSafetensors(second).map(tensor => [tensor.name, tensor]))
  for (const { name, dtype, shape, bytes } of found) {
    const tensor = wanted.get(name)
    if (!tensor || tensor.dtype !== dtype || `${tensor.shape}` !== `${shape}` || !tensor.bytes.equals(bytes)) {
      throw new Error(`${first}: ${name} is not as in ${second}`)
    }
  }
  if (found.length !== wanted.size) throw new Error(`${first}: ${found.length} tensors, not ${wanted.size}`)
  console.log(`${first}: ${found.length} tensors as in ${second}`)
}
