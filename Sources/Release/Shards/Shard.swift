import Files
import Store
import StrictJSON
import Weights

/// A part of a build's models, made on a machine of its own.
package struct Shard: Equatable, Sendable {
  /// From 1.
  package let number: Int
  package let count: Int

  /// Most shards of a build.
  package static let limit = 10_000

  /// Nil unless `1 ≤ number ≤ count ≤ limit`.
  package init?(number: Int, of count: Int) {
    guard (1...Shard.limit).contains(count), (1...count).contains(number) else { return nil }
    self.number = number
    self.count = count
  }

  /// Whether a piece of work is this shard's: by its key, not by its place in a list, so that another
  /// customer does not move the work of all others.
  func holds(_ key: ActionKey) -> Bool {
    let remainder = key.description.utf8.reduce(0) { rest, digit in
      let value = digit <= UInt8(ascii: "9") ? digit - UInt8(ascii: "0") : digit - 87
      return (rest * 16 + Int(value)) % count
    }
    return remainder == number - 1
  }
}

/// The result of one shard: a small file that the merging build asks for.
struct ShardResult: Equatable {
  private static let schemaVersion = 1
  /// Largest such file that is read, in bytes.
  private static let sizeLimit = 64 << 20

  let shard: Shard
  /// Names all work of the build; shards of one build agree on it.
  let plan: ContentDigest
  /// Keys of the work it did, sorted.
  let keys: [String]
  /// Keys among them of models that could not be used, which the store does not keep; sorted.
  let unusable: [String]

  init(_ shard: Shard, of all: [ActionKey], unusable: [String] = []) {
    self.shard = shard
    self.unusable = unusable.sorted()
    plan = ShardResult.plan(all)
    keys = Set(all.filter(shard.holds).map(\.description)).sorted()
  }

  /// Its file's name: `shard-1-of-3.json`.
  var fileName: String { "shard-\(shard.number)-of-\(shard.count).json" }

  /// The file's bytes; always the same for the same work.
  var bytes: [UInt8] {
    let json: JSONValue = [
      "schema": .integer(Self.schemaVersion), "shard": .integer(shard.number),
      "of": .integer(shard.count), "plan": .string(plan.hex),
      "keys": .array(keys.map(JSONValue.string)),
      "unusable": .array(unusable.map(JSONValue.string)),
    ]
    return Array(json.pretty.utf8)
  }

  /// Reads a shard's file.
  init(path: String) throws {
    let bytes = try MappedFile.contents(of: path, limit: Self.sizeLimit)
    let object = try JSONParser.parseObject(bytes, origin: path)
    try object.allowOnly(["schema", "shard", "of", "plan", "keys", "unusable"])
    _ = try object.integer("schema", in: Self.schemaVersion...Self.schemaVersion)
    let (number, count) = (try object.integer("shard"), try object.integer("of"))
    guard let shard = Shard(number: number, of: count) else {
      throw object.error("there is no shard \(number) of \(count)", at: object.position)
    }
    guard let plan = ContentDigest(hex: try object.string("plan")) else {
      throw object.error(
        "'plan' is not 64 lower-case hexadecimal digits", at: object.position)
    }
    self.shard = shard
    self.plan = plan
    keys = try object.array("keys").compactMap(\.string)
    unusable = try object.array("unusable").compactMap(\.string)
  }

  /// Whether it is of a build with this work.
  func isPart(of all: [ActionKey]) -> Bool {
    let whole = ShardResult(shard, of: all)
    return plan == whole.plan && keys == whole.keys
  }

  /// Names the work of a build.
  private static func plan(_ keys: [ActionKey]) -> ContentDigest {
    let lines = Set(keys.map(\.description)).sorted().map { $0 + "\n" }
    return ContentDigest(of: Array(lines.joined().utf8))
  }
}
