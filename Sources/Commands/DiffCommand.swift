import ArgumentParser
import Formats
import Packaging
import Release

struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Name the first cause of a difference between two packages, models or outputs.",
    discussion: """
      Two archives, two models (weight files, folders, \
      \(ModelFormat.folderEndings.joined(separator: ", "))) or two output folders. Causes have
      a fixed order: what holds for a whole package comes first (version of ingot, time, app), then
      model by model what went in (options, trained weights) before what came out (tensors, metrics).

      Of two archives it also says of each model whether both give interchangeable embeddings: whether those
      that an app kept go on to hold.

      Exit status: 0 the same bytes, 1 different or failed, 4 an archive is not what it claims to be.

      Example:
        ingot diff old/APP/APP-1.4.0.tar.zst new/APP/APP-1.4.0.tar.zst
      """)

  @Argument(help: "An archive, a model, or an output folder.")
  var left: String

  @Argument(help: "Another of the same kind.")
  var right: String

  @OptionGroup var shared: SharedOptions

  func run() throws {
    try shared.run { console in
      let progress = ProgressLine(console)
      defer { progress.clear() }
      do {
        let comparison = try Comparison(left, right, progress: progress.show)
        progress.clear()
        try shared.answer(console, text: comparison.text(Flags.name), json: comparison.json)
        guard comparison.isSame else { throw ExitStatus.failed.code }
      } catch let error as PackagingError {
        progress.clear()
        console.fail("\(error)")
        throw ExitStatus.verificationFailed.code
      }
    }
  }
}
