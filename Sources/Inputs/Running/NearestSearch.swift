import Execution
import Files

/// Finds the rows nearest to rows.
///
/// Products of rounded rows, made in tiles, say cosines up to a proven error. They pass over whatever
/// is surely farther than enough others; cosines in Double decide about the rest. So the result is
/// what comparing each with each in Double gives, in a small part of the time. Where the processor
/// makes products of 8 bits faster, tiles have those, and what they do not pass over is multiplied
/// once more in 16 bits.
final class NearestSearch: Sendable {
  /// Memory for each row that others are looked for, besides the rounded rows.
  static let bytesPerRow = NearestList.bytes

  private let vectors: Vectors
  private let rows: RoundedRows
  private let others: RoundedRows
  private let panels: TilePanels
  /// Whether rows are looked for among themselves: a product then counts for both.
  private let isOneSet: Bool
  private let given: [Int]
  /// A floor for each of `rows`.
  private let floors: [Int32]
  private let rule: NearestList.Rule
  private let size: Int
  private let jobs: Int

  /// - Parameters:
  ///   - guesses: for each of `rows` some of `others`, none twice and not itself.
  ///   - jobs: threads.
  init(
    _ vectors: Vectors, of rows: [Int], among others: [Int], maximum: Int, guesses: [[Int]],
    jobs: Int
  ) {
    self.jobs = jobs
    self.vectors = vectors
    given = rows
    isOneSet = rows == others
    self.rows = RoundedRows(vectors, rows, jobs: jobs)
    self.others = isOneSet ? self.rows : RoundedRows(vectors, others, jobs: jobs)
    let margin = self.rows.margin(by: self.others)
    rule = NearestList.Rule(maximum: maximum, margin: margin)
    size = self.rows.blockSize
    floors = NearestSearch.floors(
      self.rows, self.others, Dictionary(zip(rows, guesses)) { first, _ in first }, rule,
      jobs: jobs)
    panels = TilePanels(
      vectors, self.rows, among: isOneSet ? nil : self.others, rule, jobs: jobs)
  }

  /// What is surely farther than as many guesses as are looked for is not among the nearest.
  private static func floors(
    _ rows: RoundedRows, _ others: RoundedRows, _ guesses: [Int: [Int]], _ rule: NearestList.Rule,
    jobs: Int
  ) -> [Int32] {
    guard !guesses.isEmpty else { return rows.numbers.map { _ in .min } }
    let places = Dictionary(zip(others.numbers, 0...)) { first, _ in first }
    let runs = Workers.map(rows.numbers.count, inRunsOf: RoundedRows.run, jobs: jobs) {
      $0.map { place in
        let guessed = (guesses[rows.numbers[place]] ?? []).compactMap { places[$0] }
        return rule.floor(below: guessed.lazy.map { rows.lines.product(place, others.lines, $0) })
      }
    }
    return Array(runs.joined())
  }

  /// For each row the numbers of the nearest others; none for a row without a direction.
  ///
  /// - Parameter progress: told the part of the work that is done, from any thread.
  func run(progress: @Sendable (Double) -> Void) -> [[Int]] {
    guard rule.maximum > 0 else { return given.map { _ in [] } }
    let blocks = rows.blocks(of: size).map { Block($0, floors: floors[$0]) }
    let columns = others.blocks(of: size)
    let tiles = tiles(blocks.count, columns.count)
    _ = Workers.map(tiles.count, jobs: jobs, with: IntegerTile.init) { tile, index in
      let (row, column) = tiles[index]
      look(blocks[row], columns[column], isOneSet ? blocks[column] : nil, &tile)
      // Tiles begin in order, so that about as many are done.
      progress(Double(index + 1) / Double(tiles.count))
    }
    let found = Workers.map(blocks.count, jobs: jobs) { nearest(blocks[$0]) }
    let known = Dictionary(zip(rows.numbers, found.joined())) { first, _ in first }
    return given.map { known[$0] ?? [] }
  }

  /// All tiles, or of one set each pair of blocks once: first each block with itself, so that every row
  /// has a floor, then row by row, so that one block of two stays near the processor.
  private func tiles(_ rows: Int, _ columns: Int) -> [(row: Int, column: Int)] {
    guard isOneSet else {
      return (0..<rows).flatMap { row in (0..<columns).map { (row, $0) } }
    }
    return (0..<rows).map { ($0, $0) }
      + (0..<rows).flatMap { row in (row + 1..<columns).map { (row, $0) } }
  }

  /// Looks at each of a block for each of another.
  ///
  /// - Parameter mirror: the lists of the columns, if the columns look too.
  private func look(
    _ block: Block, _ columns: Range<Int>, _ mirror: Block?, _ tile: inout IntegerTile
  ) {
    let mirror = mirror === block ? nil : mirror
    let width = (columns.count + IntegerRows.panel - 1) / IntegerRows.panel * IntegerRows.panel
    var columnFloors = mirror?.floors ?? []
    columnFloors += Array(repeating: .max, count: width - columnFloors.count)
    tile.multiply(panels.rows, block.range, by: panels.others, columns)
    var floors = block.floors
    for row in floors.indices where floors[row] == .min {
      floors[row] = first(floorOf: row, of: block, columns, tile)
    }
    let (lines, otherLines, open) = (rows.lines, others.lines, panels.open)
    let (start, otherStart) = (block.range.lowerBound, columns.lowerBound)
    var seen: [Seen] = [], turned: [Seen] = []
    tile.forEachLarge(
      above: panels.floors(floors, ofRows: start),
      or: panels.floors(columnFloors, ofOthers: otherStart)
    ) { row, column, product in
      guard column < columns.count else { return }
      let (own, other) = (start + row, otherStart + column)
      var product = product
      if let open {
        let bound = open.bound(product, own, other)
        guard bound > floors[row] || bound > columnFloors[column] else { return }
        product = lines.product(own, otherLines, other)
      }
      if product > floors[row] { seen.append(Seen(row: own, other: other, product: product)) }
      if product > columnFloors[column] {
        turned.append(Seen(row: other, other: own, product: product))
      }
    }
    take(seen, block)
    if let mirror { take(turned, mirror) }
  }

  /// A floor for a row without candidates so far, from all its products of a tile.
  private func first(
    floorOf row: Int, of block: Block, _ columns: Range<Int>, _ tile: IntegerTile
  ) -> Int32 {
    let place = block.range.lowerBound + row
    let own = rows.numbers[place]
    let products = tile.products(ofRow: row).prefix(columns.count)
    let floor = rule.floor(
      below: zip(columns, products).lazy.filter { self.others.numbers[$0.0] != own }.map(\.1))
    return panels.floors([floor], ofRows: place)[0]
  }

  private func take(_ all: [Seen], _ block: Block) {
    let (vectors, rule, own, numbers) = (vectors, rule, rows.numbers, others.numbers)
    let start = block.range.lowerBound
    block.lists.withLock { lists in
      for seen in all where seen.product > lists[seen.row - start].floor {
        let row = own[seen.row]
        guard numbers[seen.other] != row else { continue }
        let isFull = lists[seen.row - start].take(seen.product, seen.other, rule)
        if isFull {
          lists[seen.row - start].shorten(rule) { vectors.cosine(row, numbers[$0]) }
        }
      }
      for place in lists.indices where lists[place].floor == .min { lists[place].narrow(rule) }
    }
  }

  private func nearest(_ block: Block) -> [[Int]] {
    block.lists.withLock { lists in
      lists.indices.map { place in
        let row = rows.numbers[block.range.lowerBound + place]
        return lists[place].nearest(rule) { vectors.cosine(row, others.numbers[$0]) }.map {
          others.numbers[$0]
        }
      }
    }
  }
}

/// A product that may count for a row, by the places of both.
private struct Seen {
  let row: Int
  let other: Int
  let product: Int32
}

/// Some rows with what was found for each.
private final class Block: Sendable {
  let range: Range<Int>
  let lists: Mutex<[NearestList]>

  init(_ range: Range<Int>, floors: ArraySlice<Int32>) {
    self.range = range
    lists = Mutex(floors.map(NearestList.init(floor:)))
  }

  var floors: [Int32] { lists.withLock { $0.map(\.floor) } }
}
