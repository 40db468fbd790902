/// Cheapest paths from the start of a cut graph to every node, where each cluster costs its squared
/// error and a fixed penalty.
///
/// Costs satisfy the quadrangle inequality (a cluster that starts earlier gains more from ending
/// earlier), so that the nodes for which a given last step is best are consecutive, and later steps
/// are best for later nodes. The steps that are best for some node ahead are kept in a queue
/// (Galil and Park 1992, "Dynamic programming with convexity, concavity and sparsity").
struct PenalizedPaths {
  /// Cost of the cheapest path to each node.
  private(set) var costs: [Double]
  /// The node before on that path.
  private var previous: [Int32]
  private let penalty: Double

  init(_ graph: CutGraph, penalty: Double) {
    self.penalty = penalty
    costs = [Double](repeating: 0, count: graph.count)
    previous = [Int32](repeating: 0, count: graph.count)
    unsafe graph.leaving.withUnsafeBufferPointer { leaving in
      unsafe graph.entering.withUnsafeBufferPointer { entering in
        unsafe costs.withUnsafeMutableBufferPointer { costs in
          unsafe previous.withUnsafeMutableBufferPointer { previous in
            unsafe withUnsafeTemporaryAllocation(of: Step.self, capacity: graph.count) { queue in
              var filling = unsafe Filling(
                leaving: leaving, entering: entering, costs: costs, previous: previous,
                queue: queue, penalty: penalty)
              filling.run(graph.places)
            }
          }
        }
      }
    }
  }

  /// Cost of the cheapest path to the end.
  var total: Double { costs[costs.count - 1] }

  /// Nodes of the cheapest path, start and end included.
  var path: [Int] {
    var nodes = [costs.count - 1]
    while let node = nodes.last, node > 0 { nodes.append(Int(previous[node])) }
    return nodes.reversed()
  }

  /// A last step: from `source`, best for nodes from `first` up to the next step's first.
  private struct Step {
    let source: Int
    var first: Int
  }

  @safe private struct Filling {
    let leaving: UnsafeBufferPointer<Moments>
    let entering: UnsafeBufferPointer<Moments>
    let costs: UnsafeMutableBufferPointer<Double>
    let previous: UnsafeMutableBufferPointer<Int32>
    let queue: UnsafeMutableBufferPointer<Step>
    let penalty: Double
    var head = 0
    var tail = 0

    mutating func run(_ places: [Int32]) {
      let end = unsafe costs.count - 1
      unsafe queue[0] = Step(source: 0, first: 1)
      tail = 1
      var node = 1
      while node < end {
        settle(node)
        if places[node] == places[node + 1] {
          settle(node + 1)
          if unsafe costs[node] + penalty < costs[node + 1] {
            // Two cuts inside one cell: the cluster between them may cost nothing.
            unsafe costs[node + 1] = costs[node] + penalty
            unsafe previous[node + 1] = Int32(truncatingIfNeeded: node)
          }
          enqueue(node, from: node + 2)
          node += 1
        }
        enqueue(node, from: node + 1)
        node += 1
      }
      settle(end)
    }

    @inline(__always)
    func cost(_ source: Int, _ node: Int) -> Double {
      unsafe costs[source] + entering[node].cost(since: leaving[source])
    }

    /// Whether the step from `source` to `node` costs no more than that from `rival`.
    @inline(__always)
    func isAsGood(_ source: Int, as rival: Int, at node: Int) -> Bool {
      let to = unsafe entering[node]
      let one = unsafe leaving[source]
      let two = unsafe leaving[rival]
      let weightOne = to.weight - one.weight
      let weightTwo = to.weight - two.weight
      guard weightOne > 1, weightTwo > 1 else { return cost(source, node) <= cost(rival, node) }
      let sumOne = to.sum - one.sum
      let sumTwo = to.sum - two.sum
      // Both costs times both weights: a division takes as long as all of this.
      let ahead = unsafe (costs[source] - one.squares) - (costs[rival] - two.squares)
      return ahead * weightOne * weightTwo
        <= sumOne * sumOne * weightTwo - sumTwo * sumTwo * weightOne
    }

    @inline(__always)
    mutating func settle(_ node: Int) {
      while head + 1 < tail, unsafe queue[head + 1].first <= node { head += 1 }
      let source = unsafe queue[head].source
      unsafe costs[node] = cost(source, node) + penalty
      unsafe previous[node] = Int32(truncatingIfNeeded: source)
    }

    /// Adds steps from `source`, which can be used from node `next` on.
    @inline(__always)
    mutating func enqueue(_ source: Int, from next: Int) {
      while tail > head {
        let first = unsafe max(queue[tail - 1].first, next)
        guard unsafe isAsGood(source, as: queue[tail - 1].source, at: first) else { break }
        tail -= 1
      }
      guard tail > head else {
        unsafe queue[head] = Step(source: source, first: next)
        tail = head + 1
        return
      }
      let last = unsafe queue[tail - 1]
      let first = takeover(source, last.source, after: max(last.first, next))
      guard unsafe first < costs.count else { return }
      unsafe queue[tail] = Step(source: source, first: first)
      tail += 1
    }

    /// The first node after `start` where `source` is as good as `rival`; the count without one.
    @inline(__always)
    func takeover(_ source: Int, _ rival: Int, after start: Int) -> Int {
      var low = start
      var stride = 1
      // The point is usually near: double the distance, then halve it.
      while true {
        let probe = low + stride
        if unsafe probe >= costs.count { break }
        if isAsGood(source, as: rival, at: probe) { break }
        low = probe
        stride *= 2
      }
      var high = unsafe min(low + stride, costs.count)
      while low + 1 < high {
        let middle = (low + high) / 2
        if isAsGood(source, as: rival, at: middle) { high = middle } else { low = middle }
      }
      return high
    }
  }
}
