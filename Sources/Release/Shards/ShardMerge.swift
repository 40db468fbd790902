package import Files
import Project
import Store

/// Checks whether every shard of a build is there before anything is published.
package struct ShardMerge: Error, Equatable, NamesOptions {
  /// A result that is missing or does not belong.
  package enum Fault: Equatable, Sendable {
    /// A folder without a result of any shard.
    case empty(folder: String)
    /// A result of another number of shards than the first.
    case otherCount(path: String, found: Int, expected: Int)
    /// A result of other models or options.
    case otherBuild(path: String)
    case missing(number: Int, of: Int)
  }

  package let faults: [Fault]

  package func words(_ name: UserOption.Names) -> String {
    (["the shards do not make a whole build; nothing was published"]
      + faults.map { $0.words(name) }).joined(separator: "\n")
  }

  /// Most faults that are listed.
  private static let maxFaults = 50

  /// Checks the results in a folder against the work of a build.
  ///
  /// - Returns: keys of the work whose results the store must have.
  /// - Throws: `ShardMerge` with every fault.
  static func cached(in folder: String, of keys: [ActionKey]) throws -> Set<String> {
    let results = try Folder.names(in: folder)
      .filter { $0.hasPrefix("shard-") && $0.hasSuffix(".json") }
      .map { (name: $0, result: try ShardResult(path: Folder.join(folder, $0))) }
    guard let count = results.first?.result.shard.count else {
      throw ShardMerge(faults: [.empty(folder: folder)])
    }
    var faults: [Fault] = []
    for (name, result) in results {
      let path = Folder.join(folder, name)
      if result.shard.count != count {
        faults.append(.otherCount(path: path, found: result.shard.count, expected: count))
      } else if !result.isPart(of: keys) {
        faults.append(.otherBuild(path: path))
      }
    }
    let there = Set(results.map(\.result.shard).filter { $0.count == count }.map(\.number))
    for number in 1...count where !there.contains(number) {
      faults.append(.missing(number: number, of: count))
    }
    guard faults.isEmpty else { throw ShardMerge(faults: Array(faults.prefix(maxFaults))) }
    return Set(keys.map(\.description)).subtracting(results.flatMap(\.result.unusable))
  }
}

extension ShardMerge.Fault {
  /// The fault and its remedy.
  fileprivate func words(_ name: UserOption.Names) -> String {
    switch self {
    case .empty(let folder): "\(folder): holds no result of a shard (shard-1-of-N.json)"
    case .otherCount(let path, let found, let expected):
      "\(path): is of \(found) shards, others are of \(expected)"
    case .otherBuild(let path):
      "\(path): is of another build: its models or options differ; run it again"
    case .missing(let number, let count):
      "shard \(number) of \(count) is missing; run it"
        + (name(.shard).map { ": \($0) \(number)/\(count)" } ?? "")
    }
  }
}
