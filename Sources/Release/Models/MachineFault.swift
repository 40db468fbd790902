import Files
import Project
import Weights

/// A fault of the machine (a full disk, too many open files, a disk that fails), not of a model: it
/// ends a build, and must never be stored as a model's own fault.
enum MachineFault {
  /// The fault inside an error of a job, if there is one. An input of the job that is gone is no
  /// fault of the machine.
  static func fault(in error: any Error, of key: BuildPlan.Key) -> FileError? {
    guard let fault = file(in: error) else { return nil }
    return key.reads(fault.path) && Folder.kind(of: fault.path) == .missing ? nil : fault
  }

  /// The failure of a file inside an error, whosever file it is.
  static func file(in error: any Error) -> FileError? {
    switch error {
    case let error as FileError: error
    case WeightsError.file(let error): error
    default: nil
    }
  }
}

extension BuildPlan.Key {
  /// Whether a path is one of the job's inputs, or in a folder of them.
  fileprivate func reads(_ path: String) -> Bool {
    let inputs = [
      references, verdict, calibration, keptTokens, sourceCheck?.vectors, sourceCheck?.inputs,
    ]
    if inputs.contains(path) || path == source { return true }
    // The index of a sharded model leads to the files beside it.
    let isIndex = source.hasSuffix(".index.json")
    var folder = isIndex ? Folder.parent(of: source) : source
    while folder.utf8.last == UInt8(ascii: "/") { folder.removeLast() }
    return path.utf8.starts(with: "\(folder)/".utf8)
  }
}
