import Files
import StrictJSON

/// The list of a model's shards, `model.safetensors.index.json`.
struct SafetensorsIndex: Sendable {
  /// Largest index read, in bytes.
  static let byteLimit = 12 << 20
  private static let jsonLimits = JSONParser.Limits(depth: 8, values: 150_000)

  /// The shard of each tensor, according to the index.
  let shardOfTensor: [TensorName: String]
  /// Names of the shards, each once, sorted by their UTF-8 bytes.
  let shards: [String]

  /// Reads an index; other keys than `weight_map` say nothing that is needed.
  init(text: [UInt8], path: String) throws(WeightsError) {
    do throws(JSONError) {
      let object = try JSONParser.parseObject(
        text, origin: path, limits: SafetensorsIndex.jsonLimits)
      let map = try object.object("weight_map")
      guard !map.members.isEmpty else {
        throw object.error("'weight_map' is empty", at: map.position)
      }
      shardOfTensor = try SafetensorsIndex.shardOfTensor(map)
    } catch {
      throw .json(error)
    }
    shards = Set(shardOfTensor.values.map(ExactString.init)).map(\.string)
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func shardOfTensor(
    _ map: JSONObject
  ) throws(JSONError) -> [TensorName: String] {
    var shards: [TensorName: String] = [:]
    for member in map.members {
      guard let shard = member.value.string else {
        throw map.mismatch(member.key, expected: "the name of a file", member.value)
      }
      guard isPlainName(shard) else {
        throw map.error(
          "\(quoted(member.key)) names the file \(quoted(shard)), expected a plain name in the"
            + " same folder", at: member.value.position)
      }
      shards[TensorName(member.key)] = shard
    }
    return shards
  }

  /// Whether a name stays in its folder and names one file: no separators, no control bytes.
  private static func isPlainName(_ name: String) -> Bool {
    guard !name.utf8.isEmpty, name != ".", name != ".." else { return false }
    return name.utf8.allSatisfy {
      $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "\\")
    }
  }
}

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
