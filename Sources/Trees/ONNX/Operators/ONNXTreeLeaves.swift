import StrictJSON

/// Places of nodes by the numbers that the file gives them, of one tree.
struct ONNXTreePlaces {
  /// Where the tree begins.
  let start: Int
  let count: Int
  /// nil where the nodes are numbered 0, 1, … as they stand.
  let places: [Int: Int]?

  /// The place of a node in the lists; nil if there is none of the number.
  func place(_ number: Int) -> Int? {
    if let places { return places[number] }
    return number >= 0 && number < count ? start + number : nil
  }
}

/// The numbers of the leaves of the tree operators of version 1 and 3.
struct ONNXTreeLeaves {
  /// Most numbers of all leaves, for each number that the file has: those it leaves out are 0.
  private static let fillLimit = 16

  /// Numbers of a leaf: one where each tree adds to a single output, else one of each output.
  let width: Int
  /// Of each tree the first output that its leaves add to.
  private(set) var outputs: [Int]
  /// By the first node of each tree.
  private(set) var places: [Int: ONNXTreePlaces] = [:]
  /// Of each node that is a leaf with numbers: where they begin.
  private var starts: [Int]
  private var numbers: [Double]
  private var isThere: [Bool]
  /// Where leaves have a single number: its output.
  private var firstOutputs: [Int: Int] = [:]

  init(_ node: ONNXNode, _ lists: ONNXTreeLists, outputs count: Int) throws(TreeError) {
    var trees: [Int: Int] = [:]
    for (tree, run) in lists.runs.enumerated() {
      trees[lists.trees[run.lowerBound]] = tree
      places[run.lowerBound] = try ONNXTreeLeaves.places(node, lists, run)
    }
    // The tree and the node of each number.
    var owners: [(tree: Int, place: Int)] = []
    owners.reserveCapacity(lists.leafTrees.count)
    var outputs = [Int](repeating: -1, count: lists.runs.count)
    var isSingle = true
    for (number, tree) in lists.leafTrees.enumerated() {
      guard let run = trees[tree],
        let place = places[lists.runs[run].lowerBound]?.place(lists.leafNodes[number]),
        lists.modes[place] == .leaf
      else {
        throw TreeError(
          path: "\(node.path): \(node.place)", tree: tree, node: lists.leafNodes[number],
          fault: "has the value of a leaf, but is not a leaf")
      }
      owners.append((run, place))
      let output = lists.leafOutputs[number]
      if outputs[run] >= 0, outputs[run] != output { isSingle = false }
      outputs[run] = output
    }
    width = isSingle ? 1 : count
    self.outputs = isSingle ? outputs.map { max($0, 0) } : outputs.map { _ in 0 }
    starts = [Int](repeating: -1, count: lists.trees.count)
    let leaves = lists.modes.count { $0 == .leaf }
    let (filled, overflows) = leaves.multipliedReportingOverflow(by: width)
    let limit = max(1 << 20, ONNXTreeLeaves.fillLimit * owners.count)
    guard !overflows, width == 1 || filled <= limit else {
      throw node.fault(
        "has \(leaves) leaves of \(Figures.count(count, "output")), but \(Figures.count(owners.count, "number")) of them"
      )
    }
    (numbers, isThere) = ([], [])
    try fill(node, lists, owners)
  }

  /// Whether every leaf has all of its numbers.
  func isFull(_ lists: ONNXTreeLists) -> Bool {
    !isThere.contains(false)
      && lists.modes.indices.allSatisfy { lists.modes[$0] != .leaf || starts[$0] >= 0 }
  }

  /// The numbers of a leaf.
  func values(of place: Int) -> [Double] {
    guard starts[place] >= 0 else { return [Double](repeating: 0, count: width) }
    return Array(numbers[starts[place]..<starts[place] + width])
  }

  private mutating func fill(
    _ node: ONNXNode, _ lists: ONNXTreeLists, _ owners: [(tree: Int, place: Int)]
  ) throws(TreeError) {
    for (number, owner) in owners.enumerated() {
      if starts[owner.place] < 0 {
        starts[owner.place] = numbers.count
        numbers += [Double](repeating: 0, count: width)
        isThere += [Bool](repeating: false, count: width)
      }
      if width == 1 { firstOutputs[owner.place] = outputs[owner.tree] }
      let first = width == 1 ? outputs[owner.tree] : 0
      let target = starts[owner.place] + lists.leafOutputs[number] - first
      guard !isThere[target] else {
        throw TreeError(
          path: "\(node.path): \(node.place)", tree: lists.leafTrees[number],
          node: lists.leafNodes[number],
          fault: "is a leaf with two numbers of output \(lists.leafOutputs[number])")
      }
      isThere[target] = true
      numbers[target] = lists.leafValues[number]
    }
  }

  /// Of each class whether a row has a score of it. Those that it has none of are never its label.
  ///
  /// - Throws: if that differs from row to row, and so may make a difference.
  func scored(_ node: ONNXNode, _ lists: ONNXTreeLists, classes: Int) throws(TreeError) -> [Bool] {
    var scored = [Bool](repeating: false, count: classes)
    var isAlways = scored
    var isEverywhere = false
    for run in lists.runs {
      let leaves = run.filter { lists.modes[$0] == .leaf }
      let counts = counts(of: leaves)
      for (output, count) in counts.byOutput {
        scored[output] = true
        if count == leaves.count { isAlways[output] = true }
      }
      if counts.isEverywhere { isEverywhere = true }
    }
    let isPlain = classes > 2 && isEverywhere && lists.leafValues.allSatisfy { $0 > 0 }
    guard isPlain || scored == isAlways else {
      throw node.fault("some leaves have no number of a class that others have one of")
    }
    return scored
  }

  /// The base of a regression of several outputs, as ONNX Runtime adds it: only to what a leaf of the row has a
  /// number of. An output that no leaf has a number of stays 0.
  ///
  /// - Throws: if it differs from row to row whether an output has its base.
  func added(
    _ base: [Double], _ node: ONNXNode, _ lists: ONNXTreeLists
  ) throws(TreeError) -> [Double] {
    guard base.count > 1, base.contains(where: { $0 != 0 }) else { return base }
    var isThere = [Bool](repeating: false, count: base.count)
    var isAlways = isThere
    for run in lists.runs {
      let leaves = run.filter { lists.modes[$0] == .leaf }
      for (output, count) in counts(of: leaves).byOutput {
        isThere[output] = true
        if count == leaves.count { isAlways[output] = true }
      }
    }
    if let output = base.indices.first(where: {
      base[$0] != 0 && isThere[$0] && !isAlways[$0]
    }) {
      throw node.fault(
        "'base_values' has \(base[output]) for output \(output), for which some leaves have no number: ONNX Runtime "
          + "leaves it out of rows that come to these alone; give every leaf a number of it, 0 where it has none"
      )
    }
    return base.indices.map { isThere[$0] ? base[$0] : 0 }
  }

  /// How many of some leaves of a tree have a number of each output, and whether each has any.
  private func counts(of leaves: [Int]) -> (byOutput: [Int: Int], isEverywhere: Bool) {
    var byOutput: [Int: Int] = [:]
    var isEverywhere = true
    for leaf in leaves {
      let start = starts[leaf]
      guard start >= 0 else {
        isEverywhere = false
        continue
      }
      for place in 0..<width where isThere[start + place] {
        byOutput[place + (width == 1 ? firstOutputs[leaf] ?? 0 : 0), default: 0] += 1
      }
    }
    return (byOutput, isEverywhere)
  }

  private static func places(
    _ node: ONNXNode, _ lists: ONNXTreeLists, _ run: Range<Int>
  ) throws(TreeError) -> ONNXTreePlaces {
    let isCounted = run.allSatisfy { lists.nodes[$0] == $0 - run.lowerBound }
    if isCounted { return ONNXTreePlaces(start: run.lowerBound, count: run.count, places: nil) }
    var places: [Int: Int] = [:]
    for place in run where places.updateValue(place, forKey: lists.nodes[place]) != nil {
      throw TreeError(
        path: "\(node.path): \(node.place)", tree: lists.trees[place], node: lists.nodes[place],
        fault: "is there twice")
    }
    return ONNXTreePlaces(start: run.lowerBound, count: run.count, places: places)
  }
}
