import Files

/// Bytes as a mapped file with the name `f`.
func inMemory(_ bytes: some Collection<UInt8>) throws -> MappedFile {
  let bytes = Array(bytes)
  var file = try MemoryFile(path: "f", byteCount: bytes.count)
  file.write(bytes.span.bytes)
  return file.finish()
}

/// A text as a mapped file with the name `f`.
func inMemory(_ text: String) throws -> MappedFile { try inMemory(text.utf8) }
