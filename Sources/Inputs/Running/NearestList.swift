/// What may be among the nearest of one row, as far as others were looked at.
struct NearestList: Sendable {
  /// Products that are not larger are surely of none of the nearest.
  private(set) var floor: Int32
  private var entries: [(product: Int32, place: Int32)] = []

  /// How many are looked for, and how exact products are.
  struct Rule: Sendable {
    let maximum: Int
    /// The most that a product differs from the cosine, in units of `RoundedRows.scale²`.
    let margin: Int

    /// The largest product of what is surely farther than enough of some others, by their products:
    /// less than one of them by both errors. The least there is where they are not enough.
    func floor(below products: some Sequence<Int32>) -> Int32 {
      var largest: [Int32] = []
      largest.reserveCapacity(maximum + 1)
      for product in products {
        if largest.count == maximum {
          guard let last = largest.last, product > last else { continue }
          largest.removeLast()
        }
        let place = largest.lastIndex { $0 >= product }.map { $0 + 1 } ?? 0
        largest.insert(product, at: place)
      }
      guard largest.count == maximum, let last = largest.last else { return .min }
      return Int32(clamping: Int(last) - 2 * margin - 1)
    }

    /// Entries that a list has at most.
    var capacity: Int { 3 * maximum + 10 }
  }

  /// - Parameter floor: as far as it is known.
  init(floor: Int32) { self.floor = floor }

  /// Bytes of a list of ten.
  static let bytes = 400

  /// Looks at one more.
  ///
  /// - Parameter place: its place among all; of equally near ones the first counts.
  /// - Returns: whether the list is full; `shorten` must follow then.
  mutating func take(_ product: Int32, _ place: Int, _ rule: Rule) -> Bool {
    guard product > floor else { return false }
    if entries.isEmpty { entries.reserveCapacity(rule.capacity) }
    entries.append((product, Int32(truncatingIfNeeded: place)))
    return entries.count == rule.capacity
  }

  /// Leaves out what is farther than enough others.
  ///
  /// - Parameter cosine: gives the cosine of one of them in Double.
  mutating func shorten(_ rule: Rule, cosine: (Int) -> Double) {
    narrow(rule)
    if entries.count > rule.capacity / 2 { settle(rule, cosine) }
  }

  /// The places of the nearest, nearest first.
  mutating func nearest(_ rule: Rule, cosine: (Int) -> Double) -> [Int] {
    narrow(rule)
    settle(rule, cosine)
    return entries.map { Int($0.place) }
  }

  /// Leaves out what is surely farther than enough others.
  mutating func narrow(_ rule: Rule) {
    guard entries.count >= rule.maximum else { return }
    floor = max(floor, rule.floor(below: entries.lazy.map(\.product)))
    entries.removeAll { $0.product <= floor }
  }

  /// Leaves no more than are looked for, nearest first.
  private mutating func settle(_ rule: Rule, _ cosine: (Int) -> Double) {
    var known = entries.map { (entry: $0, cosine: cosine(Int($0.place))) }
    known.sort { ($1.cosine, $0.entry.place) < ($0.cosine, $1.entry.place) }
    entries.removeAll(keepingCapacity: true)
    entries += known.prefix(rule.maximum).map(\.entry)
    guard known.count >= rule.maximum else { return }
    let product = known[rule.maximum - 1].cosine * RoundedRows.scale * RoundedRows.scale
    floor = max(floor, Int32(clamping: Int(product.rounded(.up)) - rule.margin - 1))
  }
}
