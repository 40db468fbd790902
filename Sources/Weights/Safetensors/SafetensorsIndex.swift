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
