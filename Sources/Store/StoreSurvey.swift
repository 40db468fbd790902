import Files
import StrictJSON
import Weights

/// Everything in a store's folder, looked at whole: every blob re-hashed, every result read.
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
    for item in files.items { addBlob(item) }
    for item in results.items { addEntry(item) }
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

  private mutating func addBlob(_ item: StoreListing.Item) {
    var isSound = false
    do {
      let found = ContentDigest(of: try MappedFile(path: item.path))
      isSound = found == item.digest
      if !isSound { faults.append("\(item.path): is corrupt: its content has SHA-256 \(found)") }
    } catch {
      faults.append("\(error)")
    }
    blobs[item.digest] = Blob(
      path: item.path, byteCount: item.status.byteCount, isSound: isSound)
  }

  private mutating func addEntry(_ item: StoreListing.Item) {
    var result: ActionResult?
    do {
      let bytes = try MappedFile.contents(of: item.path, limit: ActionResult.encodedLimit)
      let read = try ActionResult(encoded: bytes, for: ActionKey(digest: item.digest))
      let missing = read.outputs.first { output in
        guard let blob = blobs[output.digest] else { return true }
        return !blob.isSound || blob.byteCount != output.byteCount
      }
      if let missing {
        faults.append(
          "\(item.path): names the blob \(missing.digest) as \(quoted(missing.path)), which is not "
            + "there, whole")
      } else {
        result = read
      }
    } catch let fault as BadResult {
      faults.append("\(item.path): is corrupt: \(fault)")
    } catch {
      faults.append("\(error)")
    }
    entries.append(Entry(path: item.path, status: item.status, result: result))
  }
}
