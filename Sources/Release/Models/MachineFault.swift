import Files
import Weights

/// A fault of the machine (a full disk, too many open files, a disk that fails), not of a model: it
/// ends a build, and must never be stored as a model's own fault.
enum MachineFault {
  /// The fault inside an error, if there is one.
  static func fault(in error: any Error) -> FileError? {
    switch error {
    case let error as FileError: error
    case WeightsError.file(let error): error
    default: nil
    }
  }
}
