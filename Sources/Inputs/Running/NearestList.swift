/// What may be among the nearest of one row, as far as others were looked at.
struct NearestList: Sendable {
  /// Products that are not larger are surely of none of the nearest.
  private(set) var floor: Int32
  private var entries: [Entry] = []

  private struct Entry {
    let product: Int32
    let place: Int32
    /// Once it was needed.
    var cosine: Double?
  }

  /// How many are looked for, and how exact products are.
  struct Rule: Sendable {
    let maximum: Int
    /// The most that a product differs from the cosine, in units of `RoundedRows.scale²`.
    let margin: Int

    /// The largest product of what is surely farther than enough of some others, by their products:
    /// less than one of them by both errors. The least there is where they are not enough.
    func floor(below products: some Sequence<Int32>) -> Int32 {
      guard maximum > 0 else { return .min }
      var largest = Array(repeating: Int32.min, count: maximum)
      for product in products where product > largest[maximum - 1] {
        var place = maximum - 1
        while place > 0, largest[place - 1] < product {
          largest[place] = largest[place - 1]
          place -= 1
        }
        largest[place] = product
      }
      let last = largest[maximum - 1]
      return last == .min ? .min : floor(below: last)
    }

    /// The largest product of what is surely farther than one with this product.
    func floor(below product: Int32) -> Int32 { Int32(clamping: Int(product) - 2 * margin - 1) }

    /// The largest product of what is surely farther than one with this cosine.
    func floor(below cosine: Double) -> Int32 {
      let product = cosine * RoundedRows.scale * RoundedRows.scale
      return Int32(clamping: Int(product.rounded(.up)) - margin - 1)
    }

    /// Entries that a list has at most.
    var capacity: Int { 2 * maximum }
  }

  /// - Parameter floor: as far as it is known.
  init(floor: Int32) { self.floor = floor }

  /// Bytes of a list of ten.
  static let bytes = 520

  /// Looks at one more.
  ///
  /// - Parameter place: its place among all; of equally near ones the first counts.
  /// - Returns: whether the list is full; `shorten` must follow then.
  mutating func take(_ product: Int32, _ place: Int, _ rule: Rule) -> Bool {
    guard product > floor else { return false }
    if entries.isEmpty { entries.reserveCapacity(rule.capacity) }
    entries.append(Entry(product: product, place: Int32(truncatingIfNeeded: place)))
    return entries.count == rule.capacity
  }

  /// Leaves out what is farther than enough others.
  ///
  /// - Parameter cosine: gives the cosine of one of them in Double.
  mutating func shorten(_ rule: Rule, cosine: (Int) -> Double) {
    narrow(rule)
    if entries.count > rule.capacity * 3 / 4 { settle(rule, cosine) }
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
    entries.sort { ($1.product, $0.place) < ($0.product, $1.place) }
    var start = 0
    while start < min(entries.count, rule.maximum) {
      let end = endOfAlike(from: start, rule)
      if end - start > 1 { order(start..<end, cosine) }
      start = end
    }
    if entries.count >= rule.maximum {
      let last = entries[rule.maximum - 1]
      floor = max(
        floor, last.cosine.map(rule.floor(below:)) ?? rule.floor(below: last.product))
    }
    entries.removeLast(max(0, entries.count - rule.maximum))
  }

  /// The end of entries, in order of products, that may be in another order by cosines.
  private func endOfAlike(from start: Int, _ rule: Rule) -> Int {
    var end = start + 1
    while end < entries.count, entries[end].product > rule.floor(below: entries[end - 1].product) {
      end += 1
    }
    return end
  }

  /// Brings entries into the order of their cosines; of equally near ones the first comes first.
  private mutating func order(_ places: Range<Int>, _ cosine: (Int) -> Double) {
    var known = entries[places].map { entry in
      (entry: entry, cosine: entry.cosine ?? cosine(Int(entry.place)))
    }
    known.sort { ($1.cosine, $0.entry.place) < ($0.cosine, $1.entry.place) }
    for (place, (entry, cosine)) in zip(places, known) {
      entries[place] = entry
      entries[place].cosine = cosine
    }
  }
}
