import IngotFeatures
import Testing

@testable import Trees

/// Steps that are trees or linear layers over features that are filled, scaled and encoded one by one.
struct TableFormTests {
  private static let inputs = [
    TreeFeature("a"), TreeFeature("b"), TreeFeature("c", .category(names: ["x", "y", "z"])),
  ]

  private static func table(
    _ steps: [TableStep], _ arrays: [String: [Float]] = [:], labels: TreeLabels? = nil,
    trees: [(step: String, ensemble: TreeEnsemble)] = []
  ) -> Table {
    Table(
      program: TableProgram(
        library: "l 1", inputs: inputs, steps: steps, returned: steps.last?.name ?? "",
        task: labels.map { .classification(labels: $0) } ?? .regression,
        givesProbabilities: labels != nil, outputName: "o"),
      arrays: arrays.sorted { $0.key < $1.key }.map {
        Table.Numbers(name: $0.key, shape: [$0.value.count], values: $0.value)
      }, trees: trees)
  }

  /// A row before the model: a filled in, a scaled, b turned, and two categories of c.
  private static let row = [
    TableStep("a", .columns, [.value("features")], places: [0]),
    TableStep("there", .equal, [.value("a"), .value("a")]),
    TableStep("filled", .choose, [.value("there"), .value("a"), .array("fill")]),
    TableStep("b", .columns, [.value("features")], places: [1]),
    TableStep("ab", .join, [.value("filled"), .value("b")]),
    TableStep("centred", .subtract, [.value("ab"), .array("mean")]),
    TableStep("scaled", .multiply, [.value("centred"), .array("scale")]),
    TableStep("c", .columns, [.value("features")], places: [2]),
    TableStep("hot", .matches, [.value("c"), .array("keys")]),
    TableStep("all", .join, [.value("scaled"), .value("hot")]),
  ]
  private static let numbers: [String: [Float]] = [
    "fill": [0.3], "mean": [0.1, 0.7], "scale": [1.7, -2.3], "keys": [0, 2],
  ]

  @Test func linearLayersOverFeatures() throws {
    let table = Self.table(
      Self.row + [
        TableStep("sums", .linear, [.value("all"), .array("w"), .array("z")]),
        TableStep("shares", .sigmoid, [.value("sums")]),
      ], Self.numbers.merging(["w": [1, 2, 3, 4], "z": [5]]) { $1 })
    guard case .layers(let layers) = table.simplest else {
      Issue.record("no layers")
      return
    }
    #expect(
      layers.features == [
        Feature("a", missing: .replaced(by: Double(Float(0.3)))), Feature("b"),
        Feature(
          "c", .category(CategoryList(["x", "y", "z"], unknown: .code(3), encoding: .oneHot)),
          missing: .replaced(by: 3)),
      ])
    #expect(layers.layers.map(\.rows) == [[[1, 2, 3, 0, 4]]])
    #expect(layers.layers.map(\.offsets) == [[5]])
    #expect(layers.layers.map(\.activation) == [.sigmoid])
    let scale = try #require(layers.standardisation)
    for (found, expected) in zip(scale.mean, [0.1, 0.7, 0, 0, 0]) {
      #expect(abs(found - expected) < 1e-7)
    }
    for (found, expected) in zip(scale.scale, [1 / 1.7, -1 / 2.3, 1, 1, 1]) {
      #expect(abs(found - expected) < 1e-7)
    }
  }

  /// Every number of 32 bits near a threshold goes where it went, whichever way a scaler turns it.
  @Test func treesOverFeatures() throws {
    let thresholds: [(feature: Int, number: Double)] = [
      (0, Double(Float(0.25))), (1, Double(Float(-0.4))), (2, 0.5), (3, 0.5), (1, 0),
    ]
    var builder = try TreeEnsembleBuilder(
      path: "t", featureCount: 4, base: [0],
      precision: .init(roundsFeatures: true, addsFloats: false), transform: .identity)
    for (place, threshold) in thresholds.enumerated() {
      let rule: TreeEnsemble.Rule = place % 2 == 0 ? [] : [.isStrict, .missingGoesLeft]
      try builder.add(
        TreeNodes([
          .branch(
            feature: threshold.feature, threshold: threshold.number, rule: rule, left: 1, right: 2),
          .leaf([Double(1 << (2 * place))]), .leaf([Double(2 << (2 * place))]),
        ]))
    }
    let own = try builder.finish()
    let table = Self.table(
      Self.row + [
        TableStep(
          "sums", .trees, [.value("all")],
          sums: .init(count: 1, divisor: 1, addsFloats: false))
      ], Self.numbers, trees: [("sums", own)])
    guard case .trees(let model) = table.simplest else {
      Issue.record("no trees")
      return
    }
    #expect(model.features.map(\.name) == ["a", "b", "c"])
    var numbers: [Float] = [.nan, -1e30, 1e30, 0]
    for near in [0.25 / 1.7 + 0.1, 0.4 / 2.3 + 0.7, 0.7] as [Float] {
      var number = near
      for _ in 0..<40 { number = number.nextDown }
      for _ in 0..<80 {
        numbers.append(number)
        number = number.nextUp
      }
    }
    for (place, number) in numbers.enumerated() {
      let other = numbers[(place * 7 + 3) % numbers.count]
      let code = [0, 1, 2, -1, 7][place % 5] as Float
      let filled = number.isNaN ? 0.3 : number
      let row = [
        (filled - 0.1) * 1.7, (other - 0.7) * -2.3, code == 0 ? 1 : 0, code == 2 ? 1 : 0,
      ]
      #expect(
        model.ensemble.outputs(of: [Double(number), Double(other), Double(code)])
          == own.outputs(of: row.map(Double.init)), "\(number), \(other), \(code)")
    }
  }

  /// A column times 0 is 0 for every number, and what is missing stays so; times 0 after an overflow it is no number.
  @Test(arguments: [1, 1e38] as [Float])
  func aColumnTimesZeroIsZero(_ before: Float) throws {
    var builder = try TreeEnsembleBuilder(
      path: "t", featureCount: 3, base: [0],
      precision: .init(roundsFeatures: true, addsFloats: false), transform: .identity)
    for (place, threshold) in [(0, -1.0), (0, 0), (1, 0.5)] {
      try builder.add(
        TreeNodes([
          .branch(
            feature: place, threshold: threshold, rule: .missingGoesLeft, left: 1, right: 2),
          .leaf([threshold + 4]), .leaf([threshold - 8]),
        ]))
    }
    let own = try builder.finish()
    let table = Self.table(
      [
        TableStep("far", .multiply, [.value("features"), .array("before")]),
        TableStep("none", .multiply, [.value("far"), .array("scale")]),
        TableStep(
          "sums", .trees, [.value("none")],
          sums: .init(count: 1, divisor: 1, addsFloats: false)),
      ], ["before": [before], "scale": [0, 1, 1]], trees: [("sums", own)])
    guard case .trees(let model) = table.simplest else {
      #expect(before > 1)
      return
    }
    #expect(before == 1)
    for number in [-1e30, -1, 0, 1, 1e30, .nan] as [Double] {
      #expect(
        model.ensemble.outputs(of: [number, 1, 0]) == own.outputs(of: [number * 0, 1, 0]),
        "\(number)")
    }
  }

  /// A table of numbers alone.
  private static func numbers(_ steps: [TableStep], _ arrays: [String: [Float]]) -> Table {
    let plain = table(steps, arrays)
    return Table(
      program: TableProgram(
        library: "l 1", inputs: ["a", "b", "c"].map { TreeFeature($0) }, steps: steps,
        returned: steps.last?.name ?? "", task: .regression, givesProbabilities: false,
        outputName: "o"),
      arrays: plain.arrays, trees: [])
  }

  @Test(arguments: [TableLayers.Norm.sum, .length])
  func rowsThatAreDividedByTheirSize(_ norm: TableLayers.Norm) {
    let numbers = Self.numbers(
      [
        TableStep("unit", norm == .sum ? .l1 : .l2, [.value("features")]),
        TableStep("sums", .linear, [.value("unit"), .array("w")]),
      ], ["w": [1, 2, 3]])
    guard case .layers(let layers) = numbers.simplest else {
      Issue.record("no layers")
      return
    }
    #expect(layers.norm == norm)
    #expect(layers.layers.map(\.rows) == [[[1, 2, 3]]])
  }

  /// Linear steps of one row each, side by side, are one layer.
  @Test func layersSideBySideAreOne() {
    let numbers = Self.numbers(
      [
        TableStep("one", .linear, [.value("features"), .array("w"), .array("z")]),
        TableStep("two", .linear, [.value("features"), .array("v")]),
        TableStep("first", .sigmoid, [.value("one")]),
        TableStep("second", .sigmoid, [.value("two")]),
        TableStep("both", .join, [.value("first"), .value("second")]),
        TableStep("sum", .sum, [.value("both")]),
        TableStep("shares", .divide, [.value("both"), .value("sum")]),
      ], ["w": [1, 2, 3], "v": [4, 5, 6], "z": [7]])
    guard case .layers(let layers) = numbers.simplest else {
      Issue.record("no layers")
      return
    }
    #expect(layers.layers.map(\.rows) == [[[1, 2, 3], [4, 5, 6]]])
    #expect(layers.layers.map(\.offsets) == [[7, 0]])
    #expect(layers.layers.map(\.activation) == [.oneVersusRest])
  }

  /// Outputs that are never negative become shares of their sum, as a normalizer behind a classifier makes them.
  @Test(arguments: [TableStep.Kind.softmax, .sigmoid])
  func sharesOfOutputsAreAnActivation(_ kind: TableStep.Kind) {
    let numbers = Self.numbers(
      [
        TableStep("sums", .linear, [.value("features"), .array("w")]),
        TableStep("positive", kind, [.value("sums")]),
        TableStep("shares", .l1, [.value("positive")]),
      ], ["w": [1, 2, 3, 4, 5, 6]])
    guard case .layers(let layers) = numbers.simplest else {
      Issue.record("no layers")
      return
    }
    #expect(layers.layers.map(\.activation) == [kind == .softmax ? .softmax : .oneVersusRest])
  }

  private static func fault(_ table: Table) throws -> TableFault {
    try #require(#expect(throws: TableFault.self) { _ = try TableForm.model(of: table) })
  }

  /// Of the steps before trees or layers the one is named that they cannot follow.
  @Test func theStepAtFaultIsNamed() throws {
    let linear = TableStep("sums", .linear, [.value("unit"), .array("w")])
    let trees = TableStep(
      "sums", .trees, [.value("unit")], sums: .init(count: 1, divisor: 1, addsFloats: true))
    let unit = TableStep("unit", .l2, [.value("features")], node: "Normalizer 'n'")
    #expect(
      try Self.fault(Self.numbers([unit, trees], [:])).description
        == "step 'unit' (l2, made of Normalizer 'n') divides a row by its size before trees")
    let mixed = TableStep("unit", .linear, [.value("features"), .array("v")], node: "MatMul 'm'")
    #expect(
      try Self.fault(Self.numbers([mixed, trees], ["v": [1, 2, 3]])).description
        == "step 'unit' (linear, made of MatMul 'm') adds up features before trees")
    let filled = [
      TableStep("none", .equal, [.value("features"), .array("nine")]),
      TableStep(
        "there", .choose, [.value("none"), .array("fill"), .value("features")], node: "Imputer 'i'"),
      TableStep("unit", .multiply, [.value("there"), .array("fill")]),
    ]
    let arrays: [String: [Float]] = ["nine": [9], "fill": [2], "w": [1, 2, 3]]
    let fault = try Self.fault(Self.numbers(filled + [linear], arrays))
    #expect(
      fault.description
        == "step 'there' (choose, made of Imputer 'i') replaces 9.0 of 'a' and leaves NaN")
    #expect(fault.mend == "let an imputer before it replace NaN by the same number")
  }

  @Test func aStepOfNeitherIsNamed() {
    let table = Self.table(
      [
        TableStep("most", .larger, [.value("features"), .array("low")], node: "Clip 'c'"),
        TableStep("sums", .linear, [.value("most"), .array("w")]),
      ], ["low": [0], "w": [1, 2, 3]])
    #expect(table.simplest == .table(table))
    let fault = #expect(throws: TableFault.self) { _ = try TableForm.model(of: table) }
    #expect(
      fault?.description
        == "step 'most' (larger, made of Clip 'c') takes the larger of two numbers, as limits do")
  }
}
