import Execution
import Files
import Synchronization

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
    return Workers.map(rows.numbers.count, jobs: jobs) { place in
      let guessed = (guesses[rows.numbers[place]] ?? []).compactMap { places[$0] }
      return rule.floor(below: guessed.lazy.map { rows.lines.product(place, others.lines, $0) })
    }
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

  /// All tiles, or of one set each pair of blocks once. Neighbours in this order share no block, so
  /// that threads seldom wait for each other.
  private func tiles(_ rows: Int, _ columns: Int) -> [(row: Int, column: Int)] {
    (0..<columns).flatMap { shift in
      (0..<rows).compactMap { row in
        guard isOneSet else { return (row, (row + shift) % columns) }
        return row + shift < rows ? (row, row + shift) : nil
      }
    }
  }

  /// Looks at each of a block for each of another.
  ///
  /// - Parameter mirror: the lists of the columns, if the columns look too.
  private func look(
    _ block: Block, _ columns: Range<Int>, _ mirror: Block?, _ tile: inout IntegerTile
  ) {
    let mirror = mirror === block ? nil : mirror
    let floors = block.floors
    let width = (columns.count + IntegerRows.panel - 1) / IntegerRows.panel * IntegerRows.panel
    var columnFloors = mirror?.floors ?? []
    columnFloors += Array(repeating: .max, count: width - columnFloors.count)
    let tileFloors = columnFloors.enumerated().map { column, floor in
      floor == .max ? floor : lowered(floor, panels.doubts?.others[columns.lowerBound + column])
    }
    tile.multiply(panels.rows, block.range, by: panels.others, columns)
    var seen: [Seen] = []
    for (row, floor) in floors.enumerated() {
      let own = block.range.lowerBound + row
      let floor = floor == .min ? first(floorOf: row, of: block, columns, tile) : floor
      let tileFloor = lowered(floor, panels.doubts?.rows[own])
      tile.forEachLarge(inRow: row, above: tileFloor, or: tileFloors) { column, product in
        guard column < columns.count else { return }
        let other = columns.lowerBound + column
        let product = panels.doubts == nil ? product : rows.lines.product(own, others.lines, other)
        guard product > floor || product > columnFloors[column] else { return }
        seen.append(Seen(row: own, other: other, product: product))
      }
    }
    take(seen, block)
    if let mirror { take(seen.map(\.turned), mirror) }
  }

  /// A floor for products that may be farther from the cosine.
  private func lowered(_ floor: Int32, _ doubt: Int?) -> Int32 {
    Int32(clamping: Int(floor) - (doubt ?? 0))
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
    return lowered(floor, panels.doubts?.rows[place])
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

/// A product that may count, by the places of both rows.
private struct Seen {
  let row: Int
  let other: Int
  let product: Int32

  var turned: Seen { Seen(row: other, other: row, product: product) }
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
