import Graph
import Testing
import Trees
import Weights

@testable import Execution

/// The kernel that takes eight rows down a tree at a time, against the plain evaluator.
struct TreeSumTests {
  private struct Source: WeightSource {
    let ensemble: TreeEnsemble
    /// Replaces numbers of an array.
    var changes: [TreeArrays: [Double]] = [:]

    var names: [TensorName] { TreeArrays.allCases.map { TensorName($0.tensorName) }.sorted() }

    private func array(_ name: TensorName) throws -> TreeArrays {
      try #require(TreeArrays.allCases.first { $0.tensorName == name.text })
    }

    func shape(of name: TensorName) -> [Int]? { try? array(name).shape(ensemble.header) }

    func doubles(of name: TensorName) throws -> [Double] {
      let array = try array(name)
      return changes[array] ?? ensemble.values(of: array)
    }

    func floats(of name: TensorName) throws -> [Float] { try doubles(of: name).map { Float($0) } }
  }

  /// Trees of random shapes and depths, from a leaf alone to a chain of forty branches.
  private static func ensemble(
    roundsFeatures: Bool, rules: [TreeEnsemble.Rule], features: Int = 5, width: Int = 1,
    outputs: Int = 1, _ numbers: inout SeededNumbers
  ) throws -> TreeEnsemble {
    var builder = try TreeEnsembleBuilder(
      path: "trees", featureCount: features, base: (0..<outputs).map { Double($0) / 3 },
      leafWidth: width,
      precision: .init(roundsFeatures: roundsFeatures, addsFloats: roundsFeatures),
      transform: outputs > 1 ? .softmax : .sigmoid)
    _ = builder.add(TreeEnsemble.CategorySet([0, 2, 3]))
    for tree in 0..<30 {
      let branches = tree == 0 ? 0 : tree == 1 ? 40 : Int(numbers.next() % 20)
      var nodes: [TreeNodes.Node] = []
      for branch in 0..<branches {
        let rule = rules[Int(numbers.next() % UInt64(rules.count))]
        // Every branch has a leaf on its left and the next branch on its right, or the other way round.
        let isLeft = numbers.next() % 2 == 0
        let (leaf, next) = (2 * branch + 1, 2 * branch + 2)
        nodes.append(
          .branch(
            feature: Int(numbers.next() % UInt64(features)),
            threshold: rule.contains(.isCategory) ? 0 : (numbers.unit() - 0.5) * 2, rule: rule,
            left: isLeft ? leaf : next, right: isLeft ? next : leaf))
        nodes.append(.leaf((0..<width).map { _ in numbers.unit() - 0.5 }))
      }
      nodes.append(.leaf((0..<width).map { _ in numbers.unit() - 0.5 }))
      try builder.add(
        TreeNodes(nodes), output: Int(numbers.next() % UInt64(outputs - width + 1)))
    }
    return try builder.finish()
  }

  private static func rows(_ ensemble: TreeEnsemble, _ numbers: inout SeededNumbers) -> [[Double]] {
    (0..<203).map { row in
      (0..<ensemble.header.featureCount).map { _ in
        switch numbers.next() % 12 {
        case 0: .nan
        case 1: 0
        case 2: Double(numbers.next() % 5)
        // On a threshold, where the comparison decides.
        case 3: ensemble.thresholds[Int(numbers.next() % UInt64(ensemble.branchCount))]
        default: (numbers.unit() - 0.5) * 2
        }
      }
    }
  }

  private static func graph(_ header: TreeHeader, rows: Int) throws -> ModelGraph {
    var graph = GraphBuilder()
    let x = graph.input(
      "features", ValueType(TreeSum.scalar(of: header), [rows, header.featureCount]))
    let sums = try graph.append(
      "trees",
      TreeSum(x, header, arrays: TreeArrays.allCases.map { TreeSum.reference($0, header) }))
    return try graph.finish(output: sums)
  }

  private static let simple: [TreeEnsemble.Rule] = [
    [], .isStrict, .missingGoesLeft, [.isStrict, .missingGoesLeft],
  ]
  private static let all: [TreeEnsemble.Rule] =
    simple + [
      .isCategory, [.isCategory, .missingGoesLeft], .isEqual, .readsMissingAsZero, .zeroIsMissing,
      [.zeroIsMissing, .missingGoesLeft], [.isCategory, .isWhole],
    ]

  @Test(arguments: [true, false], [false, true])
  func everyRowReachesItsLeaves(_ roundsFeatures: Bool, _ hasAllRules: Bool) throws {
    var numbers = SeededNumbers(seed: hasAllRules ? 1 : 2)
    // Rows of 300 features go through the trees in blocks, those of 5 all at once.
    for (features, width, outputs) in [(5, 1, 1), (5, 1, 3), (300, 3, 3), (300, 2, 3)] {
      let ensemble = try Self.ensemble(
        roundsFeatures: roundsFeatures, rules: hasAllRules ? Self.all : Self.simple,
        features: features, width: width, outputs: outputs, &numbers)
      let rows = Self.rows(ensemble, &numbers)
      let graph = try Self.graph(ensemble.header, rows: rows.count)
      let executor = Executor(weights: Source(ensemble: ensemble), jobs: 1)
      let values = rows.flatMap(\.self)
      let found = try executor.run(
        graph,
        inputs: ["features": roundsFeatures ? .floats(values.map { Float($0) }) : .doubles(values)])
      let expected = rows.flatMap { ensemble.outputs(of: $0).map { Float($0) } }
      #expect(found == expected)
    }
  }

  @Test func arraysThatAreNoTreesAreRefusedBeforeARowRuns() throws {
    var numbers = SeededNumbers(seed: 3)
    let ensemble = try Self.ensemble(roundsFeatures: true, rules: Self.simple, &numbers)
    let graph = try Self.graph(ensemble.header, rows: 1)
    var left = ensemble.values(of: .left)
    left[3] = 2
    let executor = Executor(
      weights: Source(ensemble: ensemble, changes: [.left: left]), jobs: 1)
    let error = #expect(throws: TreeError.self) {
      try executor.run(graph, inputs: ["features": .floats([0, 0, 0, 0, 0])])
    }
    #expect(error?.fault.hasPrefix("trees.left[3] is 2, expected a later branch") == true)
  }

  @Test func featuresOfTheOtherPrecisionAreRefused() throws {
    var numbers = SeededNumbers(seed: 4)
    let ensemble = try Self.ensemble(roundsFeatures: false, rules: Self.simple, &numbers)
    let graph = try Self.graph(ensemble.header, rows: 1)
    let executor = Executor(weights: Source(ensemble: ensemble), jobs: 1)
    #expect(throws: ExecutionError.self) {
      try executor.run(graph, inputs: ["features": .floats([0, 0, 0, 0, 0])])
    }
  }
}
