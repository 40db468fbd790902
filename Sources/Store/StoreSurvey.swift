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

  init(of layout: StoreLayout) throws(FileError) {
    // Results first: what they name was there before them, even if other processes go on writing.
    let results = try StoreListing(of: .results, in: layout)
    let files = try StoreListing(of: .blobs, in: layout)
    leftovers = results.leftovers + files.leftovers
    for item in results.items { addEntry(item) }
    let sizes = namedSizes
    for item in files.items { addBlob(item, sizes: sizes[item.digest]) }
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
    for output in entries.lazy.compactMap(\.result).flatMap(\.outputs) {
      sizes[output.digest, default: []].insert(output.byteCount)
    }
    return sizes
  }

  /// - Parameter sizes: those that the blob may have, by the results; nil where none names it.
  private mutating func addBlob(_ item: StoreListing.Item, sizes: Set<Int>?) {
    let byteCount = item.status.byteCount
    var fault: String?
    if let sizes, !sizes.contains(byteCount) {
      // Not hashed: a file may be as long as it likes.
      let expected = sizes.sorted().map(String.init).joined(separator: " or ")
      fault = "\(item.path): is corrupt: has \(byteCount) bytes, expected \(expected)"
    } else {
      fault = self.fault(inContentOf: item)
    }
    if let fault { faults.append(fault) }
    blobs[item.digest] = Blob(path: item.path, byteCount: byteCount, isSound: fault == nil)
  }

  private func fault(inContentOf item: StoreListing.Item) -> String? {
    do {
      let found = ContentDigest(of: try MappedFile(path: item.path))
      if found == item.digest { return nil }
      return "\(item.path): is corrupt: its content has SHA-256 \(found)"
    } catch {
      return "\(error)"
    }
  }

  /// Takes the results from entries that name a blob which is not there, whole.
  private mutating func dropIncompleteEntries() {
    for (index, entry) in entries.enumerated() {
      let missing = entry.result?.outputs.first { output in
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
