/// Chooses some of many things, spread evenly over their order.
enum EvenChoice {
  /// At most `most` of the numbers 0 ..< count, ascending: the middles of equal stretches.
  static func indices(of count: Int, most: Int) -> [Int] {
    if count <= most { return Array(0..<count) }
    return (0..<max(0, most)).map { (2 * $0 + 1) * count / (2 * most) }
  }
}
