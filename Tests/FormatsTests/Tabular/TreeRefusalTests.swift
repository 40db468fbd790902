import Formats
import Testing
import Trees

/// What Core ML's trees cannot say is refused with words.
struct TreeRefusalTests {
  private typealias Fixtures = TabularFixtures

  private static func refuse(
    _ ensemble: TreeEnsemble, _ task: TreeTask = .regression,
    _ options: TabularOptions = TabularOptions(), _ words: String
  ) {
    let error = #expect(throws: TabularError.self) {
      try TabularProgram(Fixtures.model(ensemble, task), path: "a.json", options: options)
    }
    #expect(error?.description == words)
  }

  @Test func zerosThatAreMissing() throws {
    for (threshold, rule, side): (Double, TreeEnsemble.Rule, String) in [
      (-1, [.zeroIsMissing, .missingGoesLeft], "left"), (1, .zeroIsMissing, "right"),
      (1e-35, [.zeroIsMissing, .missingGoesLeft, .isStrict], "left"),
      (0, [.zeroIsMissing, .isEqual], "right"),
    ] {
      Self.refuse(
        try Fixtures.ensemble([Fixtures.stump(threshold, rule)]),
        "a.json: tree 0: feature 'battery' counts 0 as missing, and missing values go \(side) of the "
          + "threshold \(threshold): Core ML's trees cannot say it; train with zeros as numbers")
    }
  }

  @Test func largeSetsOfCategories() throws {
    Self.refuse(
      try Fixtures.ensemble([Fixtures.stump(0, .isCategory)], sets: [.init(0..<2000)]),
      "a.json: tree 0: feature 'battery' is compared with sets of categories, 2000 in one: Core ML's "
        + "trees compare with one category at a time, and would have more than 16 times the nodes; "
        + "group the categories, or train with one-hot columns")
  }

  /// A tree of 24 branches with two ways from each to the next: 2²⁴ − 1 branches where none is shared.
  @Test(.timeLimit(.minutes(1)), arguments: [23, 24])
  func sharedBranchesThatAreTooManyAlone(_ count: Int) throws {
    let own = try Fixtures.ensemble([Fixtures.stump(0.5, [])])
    var header = own.header
    (header.branchCount, header.leafCount, header.treeCount) = (count, 2, 1)
    let ensemble = try TreeEnsemble(header, path: "a") { array in
      switch array {
      case .left: (1..<count).map(Double.init) + [-1]
      case .right: (1..<count).map(Double.init) + [-2]
      case .leaves: [1, 2]
      case .roots, .outputs: [0]
      case .thresholds: [Double](repeating: 0.5, count: array.shape(header).reduce(1, *))
      default: [Double](repeating: 0, count: array.shape(header).reduce(1, *))
      }
    }
    Self.refuse(
      ensemble,
      "a.json: would have \((1 << (count + 1)) - 1) nodes as a Core ML model, where no two trees share any, and at "
        + "most 8388608 are written; write it as safetensors")
  }

  @Test func transforms() throws {
    Self.refuse(
      try Fixtures.ensemble(transform: .exponential),
      "a.json: gives exp of its sum, as of counts, and Core ML has no step for it; "
        + "train on the logarithm of the target, and let the app take exp")
    Self.refuse(
      try Fixtures.ensemble(transform: .isolation),
      "a.json: is an isolation forest, whose score Core ML has no step for")
    Self.refuse(
      try Fixtures.ensemble(base: [0, 0], transform: .softmax),
      "a.json: has the transform 'softmax' of 2 numbers, which Core ML's trees lack for a regressor"
    )
    for transform in [TreeEnsemble.Transform.sigmoid, .oneVersusRest] {
      Self.refuse(
        try Fixtures.ensemble(base: [0, 0, 0], transform: transform),
        .classification(labels: nil),
        "a.json: gives a sigmoid of each of 3 sums (one-vs-rest), and Core ML's trees take the "
          + "sigmoid of one sum only; train it with softmax, as for multinomial classes")
    }
    Self.refuse(
      try Fixtures.ensemble(transform: .exponential), .classification(labels: nil),
      "a.json: has the transform 'exponential' of 1 numbers, which Core ML's trees lack for "
        + "a classifier")
    Self.refuse(
      try Fixtures.ensemble(
        [Fixtures.stump(left: [1, 0], right: [1, 2])], base: [0, 0], leafWidth: 2, transform: .share
      ),
      .classification(labels: nil),
      "a.json: divides votes by their sum, which differs from leaf to leaf, and Core ML's trees only "
        + "add; save the shares of each leaf instead of its counts")
  }

  @Test func labelsAndNames() throws {
    let ensemble = try Fixtures.ensemble(transform: .sigmoid)
    Self.refuse(
      ensemble, .classification(labels: .texts(["a", "b", "c"])),
      "a.json: has 3 labels and gives 1 numbers, expected as many, or two labels and one number")
    Self.refuse(
      ensemble, .classification(labels: .texts(["a", "a"])), "a.json: has the label 'a' twice")
    Self.refuse(
      ensemble, .regression, TabularOptions(output: "hour1"),
      "a.json: the output is called 'hour1', like a feature; give it another name")
    Self.refuse(
      ensemble, .regression, TabularOptions(texts: ["hour": "Of day"]),
      "a.json: has no feature 'hour' that the options name")
  }
}

extension TreeRefusalTests {
  private static func refuse(_ ensemble: TreeEnsemble, _ words: String) {
    refuse(ensemble, .regression, TabularOptions(), words)
  }

  private static func refuse(_ ensemble: TreeEnsemble, _ task: TreeTask, _ words: String) {
    refuse(ensemble, task, TabularOptions(), words)
  }
}
