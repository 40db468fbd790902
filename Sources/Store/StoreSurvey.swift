import Files
import StrictJSON
import Weights

/// Everything in a store's folder, looked at whole: every result read, every blob re-hashed that has
/// a size which results name, or that none names.
struct StoreSurvey {
  struct Entry {
    let path: String
    let status: FileStatus
    /// Nil when it is corrupt, or names a blob that is not there, whole.
    let result: ActionResult?
  }

  struct Blob {
    let path: String
    let byteCount: Int
    let isSound: Bool
  }

  private(set) var entries: [Entry] = []
  private(set) var blobs: [ContentDigest: Blob] = [:]
  private(set) var leftovers: [(path: String, status: FileStatus)] = []
  /// One line for each file that is not as it should be, sorted.
  private(set) var faults: [String] = []

  /// Looks at everything.
  ///
  /// - Parameter progress: told each step.
  init(of layout: StoreLayout, progress: (StoreStep) -> Void) throws(FileError) {
    // Results first: what they name was there before them, even if other processes go on writing.
    let results = try StoreListing(of: .results, in: layout)
    let files = try StoreListing(of: .blobs, in: layout)
    leftovers = results.leftovers + files.leftovers
    for (place, item) in results.items.enumerated() {
      addEntry(item)
      progress(.readingResults(place + 1, of: results.items.count))
    }
    addBlobs(files.items, progress)
    dropIncompleteEntries()
    faults.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The result of the survey.
  var report: StoreReport {
    var report = StoreReport()
    for entry in entries { report.results.add(entry.status.byteCount) }
    for blob in blobs.values { report.blobs.add(blob.byteCount) }
    for leftover in leftovers { report.leftovers.add(leftover.status.byteCount) }
    report.faults = faults
    return report
  }

  private mutating func addEntry(_ item: StoreListing.Item) {
    var result: ActionResult?
    do {
      let bytes = try MappedFile.contents(of: item.path, limit: ActionResult.encodedLimit)
      result = try ActionResult(encoded: bytes, for: ActionKey(digest: item.digest))
    } catch let fault as BadResult {
      faults.append("\(item.path): is corrupt: \(fault)")
    } catch {
      faults.append("\(error)")
    }
    entries.append(Entry(path: item.path, status: item.status, result: result))
  }

  /// The sizes that results name for each blob: one, unless a result is wrong.
  private var namedSizes: [ContentDigest: Set<Int>] {
    var sizes: [ContentDigest: Set<Int>] = [:]
    for output in entries.lazy.compactMap(\.result).flatMap(\.blobs) {
      sizes[output.digest, default: []].insert(output.byteCount)
    }
    return sizes
  }

  private mutating func addBlobs(
    _ items: [StoreListing.Item], _ progress: (StoreStep) -> Void
  ) {
    let sizes = namedSizes
    let odd = items.map { fault(inSizeOf: $0, sizes[$0.digest]) }
    // A file may claim to be as long as it likes: the sum may wrap round.
    let total = zip(items, odd).reduce(0) { $1.1 == nil ? $0 &+ $1.0.status.byteCount : $0 }
    var hashed = 0
    for (item, odd) in zip(items, odd) {
      let fault =
        odd
        ?? self.fault(inContentOf: item) { count in
          hashed &+= count
          progress(.hashing(hashed, of: total))
        }
      if let fault { faults.append(fault) }
      blobs[item.digest] = Blob(
        path: item.path, byteCount: item.status.byteCount, isSound: fault == nil)
    }
  }

  /// - Parameter sizes: those that the blob may have, by the results; nil where none names it.
  private func fault(inSizeOf item: StoreListing.Item, _ sizes: Set<Int>?) -> String? {
    // Not hashed: a file may be as long as it likes.
    guard let sizes, !sizes.contains(item.status.byteCount) else { return nil }
    let expected = sizes.sorted().map(String.init).joined(separator: " or ")
    return "\(item.path): is corrupt: has \(item.status.byteCount) bytes, expected \(expected)"
  }

  /// - Parameter progress: told the size of each piece that was hashed.
  private func fault(
    inContentOf item: StoreListing.Item, _ progress: (Int) -> Void
  ) -> String? {
    do {
      let file = try MappedFile(path: item.path)
      var stream = DigestStream()
      file.forEachPiece(in: 0..<file.byteCount) { piece in
        stream.update(piece)
        progress(piece.byteCount)
      }
      let found = stream.finish()
      if found == item.digest { return nil }
      return "\(item.path): is corrupt: its content has SHA-256 \(found)"
    } catch {
      return "\(error)"
    }
  }

  /// Takes the results from entries that name a blob which is not there, whole.
  private mutating func dropIncompleteEntries() {
    for (index, entry) in entries.enumerated() {
      let missing = entry.result?.blobs.first { output in
        guard let blob = blobs[output.digest] else { return true }
        return !blob.isSound || blob.byteCount != output.byteCount
      }
      guard let missing else { continue }
      faults.append(
        "\(entry.path): names the blob \(missing.digest) as \(quoted(missing.path)), which is not "
          + "there, whole")
      entries[index] = Entry(path: entry.path, status: entry.status, result: nil)
    }
  }
}
