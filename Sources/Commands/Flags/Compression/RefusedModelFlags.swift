import ArgumentParser
import Files
import Formats
import Gate
import StrictJSON
import Weights

/// The treatment of a model that the gate refuses.
struct RefusedModelFlags: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where to keep a model that is refused, unproven, for 'check' to look at.",
      discussion: """
        Nothing is written to --output, and the exit status is 3, all the same. Its name says the \
        format as that of --output does.
        """,
      valueName: "path"))
  var keepRefused: String?

  /// - Parameters:
  ///   - format: of the output.
  ///   - references: as given; without them nothing is refused.
  func check(_ format: ModelFormat, references: String?) throws {
    guard let keepRefused else { return }
    guard references != nil else {
      throw ValidationError("--keep-refused needs --references to be judged against")
    }
    if let named = ModelFormat.named(keepRefused), named != format {
      throw ValidationError(
        "--keep-refused '\(keepRefused)' is the name of one of \(named), the output is one of "
          + "\(format); choose another name")
    }
  }

  /// Refuses a path that cannot be written, is inside the output, or exists already: a refused
  /// model replaces nothing.
  func check(besides output: OutputPath, inputs: [String]) throws(Failure) {
    guard let keepRefused else { return }
    if OutputPath.isSame(keepRefused, output.path)
      || OutputPath.isSame(Folder.parent(of: keepRefused), output.path)
    {
      throw Failure(
        message: "\(keepRefused): is where --output goes, and a refused model never lies there",
        hint: "choose another --keep-refused")
    }
    if OutputPath.isSame(keepRefused, output.path, as: { $0.lowercased() }) {
      throw Failure(
        message: "\(keepRefused): differs from --output '\(output.path)' only by letter case, "
          + "which not every disk tells apart",
        hint: "choose another --keep-refused")
    }
    try OutputPath(path: keepRefused, format: output.format, flag: "--keep-refused")
      .check(inputs: inputs)
    if Folder.kind(of: keepRefused) != .missing {
      throw Failure(
        message: "\(keepRefused): is there already, and a refused model replaces nothing",
        hint: "remove it, or choose another --keep-refused")
    }
  }
}

extension EmittedModel {
  /// Where a refused model was kept, and which one it is.
  var refusedJSON: JSONValue {
    [
      "path": .string(path), "sha256": .string(digest.hex), "sizeBytes": .integer(byteCount),
    ]
  }
}
