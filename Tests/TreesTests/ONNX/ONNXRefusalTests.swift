import Foundation
import Testing

@testable import Trees

/// What is not sound, or not known, is an error that names it.
struct ONNXRefusalTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let words: String
    let model: ONNXModelProto
    var testDescription: String { words }

    init(_ words: String, _ model: ONNXModelProto) {
      self.words = words
      self.model = model
    }

    init(_ words: String, stump changes: ONNXAttributeProto...) {
      self.init("TreeEnsembleRegressor 'n': \(words)", Message.model([Message.stump(changes)]))
    }

    init(_ words: String, _ change: (inout ONNXModelProto) -> Void) {
      var model = Message.model([Message.stump()])
      change(&model)
      self.init(words, model)
    }
  }

  @Test func aStumpIsRead() throws {
    let graph = try ONNXModel.read(Message.model([Message.stump()]), path: "m.onnx")
    #expect(try graph.run([.numbers([0, 0.5])])[0].elements == .floats([10]))
    #expect(try graph.run([.numbers([0, .nan])])[0].elements == .floats([20]))
    let model = try #require(graph.trees)
    #expect(model.task == .regression)
    #expect(model.ensemble.outputs(of: [0, 0.5]) == [10])
  }

  /// As ONNX Runtime has it: an output that no leaf has a number of loses its base.
  @Test func aBaseIsAddedToWhatLeavesHaveNumbersOf() throws {
    let stump = Message.stump([
      Message.integer("n_targets", 2), Message.floats("base_values", [3, 5]),
    ])
    let graph = try ONNXModel.read(Message.model([stump]), path: "m.onnx")
    #expect(try graph.run([.numbers([0, 0.5])])[0].elements == .floats([13, 0]))
    #expect(graph.trees?.ensemble.outputs(of: [0, 0.5]) == [13, 0])
  }

  /// Where leaves score both of two classes, ONNX Runtime gives 0 and 1 as labels.
  @Test func twoClassesThatAreBothScoredAreCalledZeroAndOne() throws {
    func read(_ labels: ONNXAttributeProto, _ ids: [Int64]) throws -> TabularGraph {
      try ONNXModel.read(Message.model([Message.classes(labels, of: ids)]), path: "m.onnx")
    }
    let numbers = { Message.integers("classlabels_int64s", $0) }
    for labels in [[3, 7], [1, 0]] as [[Int64]] {
      let error = #expect(throws: TreeError.self) { try read(numbers(labels), [0, 1]) }
      #expect(
        error?.description
          == "m.onnx: TreeEnsembleClassifier 'n': its leaves score both of the classes \(labels[0]) and \(labels[1]), "
          + "for which ONNX Runtime gives the labels 0 and 1; call the classes 0 and 1, or by texts, or score one of "
          + "them alone")
      _ = try read(numbers(labels), [0])
    }
    _ = try read(numbers([0, 1]), [0, 1])
    _ = try read(Message.texts("classlabels_strings", ["a", "b"]), [0, 1])
  }

  @Test func aRowHasWhatTheModelTakes() throws {
    let graph = try ONNXModel.read(Message.model([Message.stump()]), path: "m.onnx")
    for (row, words) in [
      ([], "m.onnx: the row has 0 inputs, the model asks for 1"),
      ([.numbers([1])], "m.onnx: the input 'x' takes 2 elements, the row has 1"),
      ([.texts(["a", "b"])], "m.onnx: the input 'x' takes numbers, not texts"),
    ] as [([TabularCell], String)] {
      let error = #expect(throws: TreeError.self) { try graph.run(row) }
      #expect(error?.description == words)
    }
  }

  static let ofTrees: [Case] = [
    Case(
      "tree 4, node 0: has the children 1 and 7, one of which is not a node",
      stump: Message.integers("nodes_falsenodeids", [7, 0, 0])),
    Case(
      "tree 4, node 0: is the child of two nodes, or of one below it",
      stump: Message.integers("nodes_falsenodeids", [0, 0, 0])),
    Case(
      "tree 4, node 1: is the child of two nodes, or of one below it",
      stump: Message.integers("nodes_falsenodeids", [1, 0, 0])),
    Case(
      "tree 4, node 0: looks at feature 2, there are 2",
      stump: Message.integers("nodes_featureids", [2, 0, 0])),
    Case(
      "tree 4, node 0: looks at feature -1, there are 2",
      stump: Message.integers("nodes_featureids", [-1, 0, 0])),
    Case(
      "tree 4, node 0: compares with NaN", stump: Message.floats("nodes_values", [.nan, 0, 0])),
    Case(
      "tree 4, node 1: is a leaf of [inf], which is not finite",
      stump: Message.floats("target_weights", [.infinity, 1])),
    Case(
      "'nodes_values' has 2 elements, 'nodes_treeids' has 3",
      stump: Message.floats("nodes_values", [0, 0])),
    Case(
      "'target_weights' has 1 element, 'target_treeids' has 2",
      stump: Message.floats("target_weights", [0])),
    Case(
      "nodes of tree 4 do not stand together",
      stump: Message.integers("nodes_treeids", [4, 5, 4])),
    Case("tree 4, node 0: is there twice", stump: Message.integers("nodes_nodeids", [0, 0, 2])),
    Case(
      "tree 4, node 0: has the value of a leaf, but is not a leaf",
      stump: Message.integers("target_nodeids", [0, 2])),
    Case(
      "tree 9, node 1: has the value of a leaf, but is not a leaf",
      stump: Message.integers("target_treeids", [9, 4])),
    Case(
      "tree 4, node 2: is a leaf with two numbers of output 0",
      stump: Message.integers("target_nodeids", [2, 2])),
    Case(
      "a leaf adds to output 1, there are 1", stump: Message.integers("target_ids", [1, 0])),
    Case(
      "has 9223372036854775807 outputs, expected 1 to 100000",
      stump: Message.integer("n_targets", .max)),
    Case(
      "a node has the mode 'BRANCH_MEMBER', which is not known",
      stump: Message.texts("nodes_modes", ["BRANCH_MEMBER", "LEAF", "LEAF"])),
    Case(
      "'post_transform' is 'PROBIT', which is not computed; convert the model without it, or save the estimator alone "
        + "in the form of its library",
      stump: Message.text("post_transform", "PROBIT")),
    Case(
      "'post_transform' of a single output is 'LOGISTIC', expected 'NONE'",
      stump: Message.text("post_transform", "LOGISTIC")),
    Case(
      "has 2 base values and 1 output; of two classes one is expected",
      stump: Message.floats("base_values", [1, 2])),
    Case(
      "'base_values' has 3.0 for output 1, for which some leaves have no number: ONNX Runtime leaves it out of rows "
        + "that come to these alone; give every leaf a number of it, 0 where it has none",
      stump: Message.integer("n_targets", 2), Message.integers("target_ids", [0, 1]),
      Message.floats("base_values", [0, 3])),
    Case(
      "has the attribute 'nodes_colours', which is not known in version 5",
      stump: Message.integer("nodes_colours", 1)),
    Case(
      "'n_targets' is of the type floats, expected int", stump: Message.floats("n_targets", [1])),
  ]

  static let ofGraphs: [Case] = [
    Case("is not an ONNX model: it has no graph") { $0 = ONNXModelProto() },
    Case("has IR version 99, known are 3...14") { $0.irVersion = 99 },
    Case("asks for version 29 of '', known are 1...28") {
      $0.opsetImport[0] = Message.imported("", 29)
    },
    Case("asks for the versions 5 and 4 of 'ai.onnx.ml'") {
      $0.opsetImport.append(Message.imported("ai.onnx.ml", 4))
    },
    Case("TreeEnsembleRegressor 'n': has version 0 of its domain, supported are 1...5") {
      $0.opsetImport.removeLast()
    },
    Case("has functions, which are not supported") { $0.functions = [.init()] },
    Case("has a graph for training, which is not supported") { $0.trainingInfo = [.init()] },
    Case("has sparse tensors, which are not supported") { $0.graph.sparseInitializer = [.init()] },
    Case(
      "If 'n': the operator 'If' is not supported; leave it out of the pipeline "
        + "before it is converted, or save the estimator alone"
    ) {
      $0.graph.node.append(Message.node("If", ["y"], ["z"], domain: ""))
    },
    Case(
      "Boost 'n': the operator 'Boost' of 'com.example' is not supported; leave it out of the pipeline "
        + "before it is converted, or save the estimator alone"
    ) {
      $0.graph.node.append(Message.node("Boost", ["y"], ["z"], domain: "com.example"))
    },
    Case(
      "Relu 'n': reads 'z', which nothing before it writes: operators form a cycle, or not in order"
    ) {
      $0.graph.node.insert(Message.node("Relu", ["z"], ["w"], domain: ""), at: 0)
      $0.graph.node.append(Message.node("Relu", ["w"], ["z"], domain: ""))
    },
    Case("Relu 'n' writes 'y', which is there already") {
      $0.graph.node.append(Message.node("Relu", ["x"], ["y"], domain: ""))
    },
    Case("the output 'q' is written by nothing") { $0.graph.output[0].name = "q" },
    Case("the output 'y' is said to be double, but is float") {
      $0.graph.output = [Message.input("y", 11, 1)]
    },
    Case("the input 'x' has 1152921504606846976 columns, expected 1 to 1048576") {
      $0.graph.input = [Message.input("x", 1, 1 << 60)]
    },
    Case("the input 'x' is of the type 10, which is not supported") {
      $0.graph.input = [Message.input("x", 10, 2)]
    },
    Case("the tensor 't' has its data in another file; save the model in one") {
      var tensor = Message.tensor("t", [1], [1])
      tensor.dataLocation = .external
      $0.graph.initializer = [tensor]
    },
    Case("the tensor 't' has 1 element, the shape [1099511627776] needs 1099511627776") {
      $0.graph.initializer = [Message.tensor("t", [1 << 40], [1])]
    },
    Case("the tensor 't' has the shape [1099511627776, 1099511627776]") {
      $0.graph.initializer = [Message.tensor("t", [1 << 40, 1 << 40], [1])]
    },
    Case("Add 'n': the shapes [[1, 2], [3]] do not go together") {
      $0.graph.initializer = [Message.tensor("t", [3], [1, 2, 3])]
      $0.graph.node.append(Message.node("Add", ["x", "t"], ["z"], domain: ""))
    },
    Case("MatMul 'n': the shapes [1, 2] and [3, 1] do not go together") {
      $0.graph.initializer = [Message.tensor("t", [3, 1], [1, 2, 3])]
      $0.graph.node.append(Message.node("MatMul", ["x", "t"], ["z"], domain: ""))
    },
    Case("Scaler 'n': 'offset' has 3 numbers, there are 2 columns") {
      let lists = [Message.floats("offset", [1, 2, 3]), Message.floats("scale", [1])]
      $0.graph.node.append(Message.node("Scaler", ["x"], ["z"], lists))
    },
    Case("LinearRegressor 'n': has 3 coefficients, 2 columns and 1 output need 2") {
      let lists = [Message.floats("coefficients", [1, 2, 3])]
      $0.graph.node.append(Message.node("LinearRegressor", ["x"], ["z"], lists))
    },
  ]

  static let ofVersionFive: [Case] = [
    five("tree 0, node 0: has the leaf 9, there are 2", Message.integers("nodes_truenodeids", [9])),
    five(
      "tree 0, node 0: has the child 1, there are 1", Message.integers("nodes_trueleafs", [0]),
      Message.integers("nodes_truenodeids", [1])),
    five(
      "tree 0, node 0: is the child of two nodes, or of one below it",
      Message.integers("nodes_trueleafs", [0])),
    five(
      "tree 1, node 0: is the child of two nodes, or of one below it",
      Message.integers("tree_roots", [0, 0])),
    five("tree 0, node 3: is the root, there is 1 node", Message.integers("tree_roots", [3])),
    five(
      "tree 0, node 0: looks at feature 5, there are 2", Message.integers("nodes_featureids", [5])),
    five(
      "'nodes_trueleafs' has 2 elements, 'nodes_featureids' has 1",
      Message.integers("nodes_trueleafs", [1, 1])),
    five("a leaf adds to output 4, there are 1", Message.integers("leaf_targetids", [4, 0])),
    five(
      "'post_transform' is 1, whose meaning is in dispute; expected 0",
      Message.integer("post_transform", 1)),
    five("'aggregate_function' is 4, expected 0 to 3", Message.integer("aggregate_function", 4)),
    five("node 0 has the mode 7, expected 0 to 6", Message.tensor("nodes_modes", 2, [7])),
    five("node 0 asks for a set of members, there are 1", Message.tensor("nodes_modes", 2, [6])),
    five(
      "node 0 has the member 1000000000.0, expected whole numbers from 0 to 65535",
      Message.tensor("nodes_modes", 2, [6]), Message.tensor("membership_values", 1, [1e9, .nan])),
    five(
      "has more sets of members than nodes that ask for one",
      Message.tensor("membership_values", 1, [1, .nan])),
    five(
      "'leaf_weights' is of the type int32, the input is float",
      Message.tensor("leaf_weights", 6, [1, 2])),
  ]

  private static func five(_ words: String, _ changes: ONNXAttributeProto...) -> Case {
    Case("TreeEnsemble 'n': \(words)", Message.model([Message.stumpOfFive(changes)]))
  }

  /// Each set of one large member takes 8 kB.
  @Test func largeMembersAreNamedWithTheirTree() throws {
    let count = 1100
    func all(_ number: Int64) -> [Int64] { [Int64](repeating: number, count: count) }
    let stump = Message.stumpOfFive([
      Message.integers("tree_roots", (0..<count).map(Int64.init)),
      Message.integers("nodes_featureids", all(0)),
      Message.tensor("nodes_modes", 2, [Float](repeating: 6, count: count)),
      Message.tensor("nodes_splits", 1, [Float](repeating: 0, count: count)),
      Message.integers("nodes_truenodeids", all(0)), Message.integers("nodes_trueleafs", all(1)),
      Message.integers("nodes_falsenodeids", all(1)), Message.integers("nodes_falseleafs", all(1)),
      Message.tensor("membership_values", 1, (0..<count).flatMap { _ in [65_535, .nan] }),
    ])
    let error = #expect(throws: TreeError.self) {
      try ONNXModel.read(Message.model([stump]), path: "m.onnx")
    }
    #expect(
      error?.description
        == "m.onnx: TreeEnsemble 'n': tree 1024, node 1024: asks for the member 65535, and the sets up to it "
        + "would take 8396800 bytes for 1100 members; give the categories small numbers, from 0 on")
  }

  @Test func aStumpOfVersionFiveIsRead() throws {
    let members = [
      Message.tensor("nodes_modes", 2, [6]), Message.tensor("membership_values", 1, [3, 1, .nan]),
    ]
    for (changes, values) in [([], [10, 10, 20, 20]), (members, [10, 20, 10, 20])]
      as [([ONNXAttributeProto], [Float])]
    {
      let graph = try ONNXModel.read(Message.model([Message.stumpOfFive(changes)]), path: "m.onnx")
      for (x, value) in zip([1, 0.5, 3, .nan], values) {
        let expected = changes.isEmpty ? (x <= 1 ? 10 : 20) : value
        #expect(
          try graph.run([.numbers([0, x])])[0].elements == .floats([Float(expected)]), "\(x)")
      }
    }
  }

  @Test(arguments: ofTrees + ofGraphs + ofVersionFive)
  func whatIsNotSoundIsNamed(_ example: Case) {
    let error = #expect(throws: TreeError.self) {
      try ONNXModel.read(example.model, path: "m.onnx")
    }
    #expect(error?.description == "m.onnx: \(example.words)")
  }

  @Test func aValueThatGrowsAndGrowsIsRefused() throws {
    var nodes: [ONNXNodeProto] = []
    var name = "x"
    for step in 0..<40 {
      nodes.append(
        Message.node(
          "Concat", [name, name], ["c\(step)"], [Message.integer("axis", 1)], domain: ""))
      name = "c\(step)"
    }
    let error = #expect(throws: TreeError.self) {
      try ONNXModel.read(Message.model(nodes), path: "m.onnx")
    }
    #expect(error?.description.contains("at most 4194304 elements") == true)
  }

  @Test func muchWorkForOneRowIsRefused() throws {
    var model = Message.model([])
    model.graph.initializer = [
      Message.tensor("t", [256, 256], [Float](repeating: 0, count: 1 << 16))
    ]
    for step in 0..<100 {
      model.graph.node.append(Message.node("MatMul", ["t", "t"], ["m\(step)"], domain: ""))
    }
    model.graph.output = [Message.output("m9")]
    let error = #expect(throws: TreeError.self) { try ONNXModel.read(model, path: "m.onnx") }
    #expect(
      error?.description
        == "m.onnx: MatMul 'n': the graph computes more than 67108864 numbers for a row")
  }

  @Test func aDeepTreeIsRefused() throws {
    let depth = 5000
    let count = 2 * depth + 1
    let isLeaf = { (node: Int) in node % 2 == 1 || node == 2 * depth }
    let all = Array(0..<count)
    let leaves = all.filter(isLeaf)
    let node = Message.stump([
      Message.integers("nodes_treeids", all.map { _ in 0 }),
      Message.integers("nodes_nodeids", all.map(Int64.init)),
      Message.integers("nodes_featureids", all.map { _ in 0 }),
      Message.integers("nodes_truenodeids", all.map { isLeaf($0) ? 0 : Int64($0) + 1 }),
      Message.integers("nodes_falsenodeids", all.map { isLeaf($0) ? 0 : Int64($0) + 2 }),
      Message.floats("nodes_values", all.map(Float.init)),
      Message.texts("nodes_modes", all.map { isLeaf($0) ? "LEAF" : "BRANCH_LT" }),
      Message.integers("target_treeids", leaves.map { _ in 0 }),
      Message.integers("target_nodeids", leaves.map(Int64.init)),
      Message.integers("target_ids", leaves.map { _ in 0 }),
      Message.floats("target_weights", leaves.map { _ in 1 }),
    ])
    let error = #expect(throws: TreeError.self) {
      try ONNXModel.read(Message.model([node]), path: "m.onnx")
    }
    #expect(error?.fault == "lies deeper than 4096 branches")
    #expect(error?.tree == 0 && error?.node == 8192)
  }
}
