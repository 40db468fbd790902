import Files
import Store

/// Looks whether every shard of a build is there before anything is published.
struct ShardMerge: Error, Equatable, CustomStringConvertible {
  /// What is missing or does not belong, each with its mend.
  let faults: [String]

  var description: String {
    (["the shards do not make a whole build; nothing was published"] + faults)
      .joined(separator: "\n")
  }

  /// Most faults that are listed.
  private static let mostFaults = 50

  /// Checks the results in a folder against the work of a build.
  ///
  /// - Returns: keys of the work whose results the store must have.
  /// - Throws: `ShardMerge` with every fault.
  static func kept(in folder: String, of keys: [ActionKey]) throws -> Set<String> {
    let results = try Folder.names(in: folder)
      .filter { $0.hasPrefix("shard-") && $0.hasSuffix(".json") }
      .map { (name: $0, result: try ShardResult(path: Folder.join(folder, $0))) }
    guard let count = results.first?.result.shard.count else {
      throw ShardMerge(faults: ["\(folder): holds no result of a shard (shard-1-of-N.json)"])
    }
    var faults: [String] = []
    for (name, result) in results {
      let path = Folder.join(folder, name)
      if result.shard.count != count {
        faults.append("\(path): is of \(result.shard.count) shards, others are of \(count)")
      } else if !result.isPart(of: keys) {
        faults.append("\(path): is of another build: its models or options differ; run it again")
      }
    }
    let there = Set(results.map(\.result.shard).filter { $0.count == count }.map(\.number))
    for number in 1...count where !there.contains(number) {
      faults.append("shard \(number) of \(count) is missing; run it: --shard \(number)/\(count)")
    }
    guard faults.isEmpty else { throw ShardMerge(faults: Array(faults.prefix(mostFaults))) }
    return Set(keys.map(\.description)).subtracting(results.flatMap(\.result.unusable))
  }
}
