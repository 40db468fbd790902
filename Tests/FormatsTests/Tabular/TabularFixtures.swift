import Formats
import Trees

/// Small programs of every kind, and the trees they are made of.
enum TabularFixtures {
  static let path = "a.mlmodel"
  static let inputs = [
    TabularFeature("battery", .double, text: "Charge, 0 to 1"), TabularFeature("hour", .int64),
  ]
  static let texts = TreeLabels.texts(["no", "yes"])

  /// How numbers are kept where nothing is rounded.
  static let doubles = TreeEnsemble.Precision(roundsFeatures: false, addsFloats: false)

  /// A branch on feature 0 with two leaves.
  static func stump(
    _ threshold: Double = 0.5, _ rule: TreeEnsemble.Rule = [], left: [Double] = [1],
    right: [Double] = [2], feature: Int = 0
  ) -> TreeNodes {
    TreeNodes([
      .branch(feature: feature, threshold: threshold, rule: rule, left: 1, right: 2),
      .leaf(left), .leaf(right),
    ])
  }

  static func ensemble(
    _ trees: [TreeNodes] = [stump(), stump(3, .isStrict, feature: 1)], base: [Double] = [0.25],
    leafWidth: Int = 1, divisor: Double = 1, precision: TreeEnsemble.Precision = doubles,
    transform: TreeEnsemble.Transform = .identity, features: Int = 2,
    sets: [TreeEnsemble.CategorySet] = [], outputs: [Int] = []
  ) throws -> TreeEnsemble {
    var builder = try TreeEnsembleBuilder(
      path: path, featureCount: features, base: base, leafWidth: leafWidth, divisor: divisor,
      precision: precision, transform: transform)
    for set in sets { _ = builder.add(set) }
    for (number, tree) in trees.enumerated() {
      try builder.add(tree, output: number < outputs.count ? outputs[number] : 0)
    }
    return try builder.finish()
  }

  static func model(_ ensemble: TreeEnsemble, _ task: TreeTask = .regression) -> TreeModel {
    TreeModel(
      ensemble: ensemble,
      features: (0..<ensemble.featureCount).map { TreeFeature($0 == 0 ? "battery" : "hour\($0)") },
      task: task, library: "none")
  }

  /// A program of every kind of step.
  static func all() throws -> [TabularProgram] {
    let wide = try ensemble(
      [
        stump(left: [0, 1, 0], right: [0.25, 0.25, 0.5]),
        stump(-1, [.missingGoesLeft, .isEqual], left: [1, 0, 0], right: [0, 0, 0]),
      ], base: [0, 0, 1], leafWidth: 3, transform: .softmax)
    let three = TreeLabels.integers([7, -1, 3])
    let rows = [[1.5, -2], [0.25, 1], [0, 3]]
    return [
      try TabularProgram(
        path: path, inputs: inputs, regressor: .treeRegressor(try ensemble()), name: "minutes",
        metadata: .init(
          text: "Minutes", version: "2", author: "A", license: "MIT", userDefined: ["a": "b"])),
      try TabularProgram(
        path: path, inputs: inputs,
        classifier: .treeClassifier(try ensemble(transform: .sigmoid), texts), labels: texts,
        name: "label"),
      try TabularProgram(
        path: path, inputs: inputs, classifier: .treeClassifier(wide, three), labels: three,
        name: "label"),
      try TabularProgram(
        path: path, inputs: inputs,
        regressor: .linearRegressor(.init(weights: [2, -1], offset: 0.5, link: .probit)), name: "y"),
      try TabularProgram(
        path: path, inputs: inputs,
        classifier: .linearClassifier(
          .init(
            weights: [rows[0]], offsets: [0.5], encoding: .oneVersusRest, link: .probit,
            labels: texts)),
        labels: texts, name: "label"),
      try TabularProgram(
        path: path, inputs: inputs,
        classifier: .linearClassifier(
          .init(softmax: rows, offsets: [0.5, 0, 1], labels: three)), labels: three, name: "label"),
      try TabularProgram(
        path: path, inputs: inputs,
        classifier: .linearClassifier(
          .init(weights: rows, offsets: [0, 1, 2], encoding: .oneVersusRest, labels: three)),
        labels: three, name: "label"),
    ] + (try chains()) + (try transforms())
  }

  private static func chains() throws -> [TabularProgram] {
    let transforms: [TabularStep] = [
      .imputer(.array([1, 2, 3, 4], missing: .nan)),
      .scaler(shift: [-1, 0, 1, 2], scale: [2]), .normalizer(.length),
    ]
    let columns = TabularChain.Source.columns([
      .init("battery"), .init("colour", .oneHot(.texts(["red", "blue"]), .isZero)), .init("hour"),
    ])
    let linear = LinearRegressor(weights: [1, 2, 3, 4], offset: 0)
    return [
      try TabularChain(columns, transforms, predictor: .linearRegressor(linear)).program(
        path: path),
      try TabularChain(
        .columns([.init("battery"), .init("hour", .oneHot(.integers([3, 5, 8]), .isError))]),
        [.normalizer(.sum)],
        predictor: .treeClassifier(try ensemble(transform: .sigmoid, features: 4), texts)
      ).program(path: path),
      try TabularChain(
        .dictionary("facts", .texts(["a", "b", "c"])), [.arrayFeatureExtractor([2, 0])]
      ).program(path: path),
    ]
  }

  private static func transforms() throws -> [TabularProgram] {
    func one(
      _ step: TabularStep, _ input: TabularFeature.Kind, _ output: TabularFeature.Kind
    ) throws -> TabularProgram {
      try TabularProgram(
        path: path, inputs: [.init("x", input, isOptional: input == .double)],
        outputs: [.init("y", output)], step: step)
    }
    return [
      try one(.imputer(.double(3, missing: .infinity)), .double, .double),
      try one(.imputer(.int64(3, missing: -1)), .int64, .int64),
      try one(.imputer(.string("none", missing: "")), .string, .string),
      try one(
        .oneHotEncoder(.integers([4, 2]), isSparse: false, unknown: .isZero), .int64, .array(2)),
      try one(.dictVectorizer(.integers([4, 2])), .integerDictionary, .array(2)),
      try one(.normalizer(.largest), .array(2), .array(2)),
      try one(.arrayFeatureExtractor([1]), .array(2), .double),
      try one(.arrayFeatureExtractor([1]), .array(2), .int64),
      try one(.scaler(shift: [], scale: []), .array(3), .array(3)),
    ]
  }
}

extension TabularFixtures {
  static func sigmoid(_ value: Double) -> Double {
    TreeEnsemble.Transform.sigmoid.apply(to: [value])[0]
  }
}
