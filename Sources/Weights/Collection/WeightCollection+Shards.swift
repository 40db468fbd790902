import Files
import StrictJSON

extension WeightCollection {
  /// Reads all shards an index names; index and shards must agree on the shard of every tensor.
  static func sharded(
    _ origin: String, index indexPath: String
  ) throws(WeightsError) -> WeightCollection {
    let indexFile = try map(indexPath)
    let index = try SafetensorsIndex(text: indexText(indexFile), path: indexPath)
    var files = [indexFile]
    var tensors: [Tensor] = []
    var metadata: [String: String] = [:]
    for shard in index.shards {
      let path = Folder.join(Folder.parent(of: indexPath), shard)
      guard Folder.kind(of: path) != .missing else {
        throw .malformed(
          place: indexPath, fault: "names the shard \(quoted(shard)), which is missing")
      }
      let file = try map(path)
      let header = try SafetensorsHeader(file)
      files.append(file)
      tensors += try index.checked(header.tensors(in: file), of: shard, indexPath)
      metadata.merge(header.metadata) { first, _ in first }
    }
    // Every tensor found is one the index places there, so equal numbers mean equal sets.
    if tensors.count < index.shardOfTensor.count {
      throw index.firstMissing(from: tensors, indexPath)
    }
    return WeightCollection(
      origin: origin, format: "sharded safetensors", tensors: tensors, metadata: metadata,
      sources: files)
  }

  private static func indexText(_ file: MappedFile) throws(WeightsError) -> [UInt8] {
    guard file.byteCount <= SafetensorsIndex.byteLimit else {
      throw .file(
        .tooLarge(path: file.path, bytes: file.byteCount, limit: SafetensorsIndex.byteLimit))
    }
    let text = file.withBytes { $0.array(in: 0..<$0.byteCount) }
    file.letGo(of: 0..<file.byteCount)
    return text
  }
}

extension SafetensorsIndex {
  /// The tensors of one shard; the index must place all of them there.
  fileprivate func checked(
    _ tensors: [Tensor], of shard: String, _ path: String
  ) throws(WeightsError) -> [Tensor] {
    for tensor in tensors {
      guard let stated = shardOfTensor[tensor.name] else {
        throw .tensor(
          name: tensor.name, place: path,
          fault: "is in shard \(quoted(shard)) but not in the index")
      }
      guard ExactString(stated) == ExactString(shard) else {
        throw .tensor(
          name: tensor.name, place: path,
          fault: "is in shard \(quoted(shard)), the index places it in \(quoted(stated))")
      }
    }
    return tensors
  }

  fileprivate func firstMissing(from tensors: [Tensor], _ path: String) -> WeightsError {
    var missing = shardOfTensor
    for tensor in tensors { missing[tensor.name] = nil }
    let first = missing.min { $0.key < $1.key }
    return .tensor(
      name: first?.key ?? "", place: path,
      fault: "is not in shard \(quoted(first?.value ?? "")), where the index places it")
  }
}

extension SafetensorsHeader {
  /// Reads and checks the header of a file.
  init(_ file: MappedFile) throws(WeightsError) {
    let text = try file.withBytes { bytes throws(WeightsError) in
      try SafetensorsHeader.text(of: bytes, path: file.path)
    }
    file.letGo(of: 0..<file.byteCount)
    try self.init(text: text, fileByteCount: file.byteCount, path: file.path)
  }

  /// The tensors of the file this header was read from.
  func tensors(in file: MappedFile) -> [Tensor] {
    entries.map { entry in
      Tensor(
        name: entry.name, elementType: entry.elementType, shape: entry.shape,
        elementCount: entry.elementCount, place: file.path, layout: Tensor.Layout(),
        storage: .mapped(file, entry.bytes))
    }
  }
}
