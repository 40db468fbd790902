/// An option a user may set, or a command to run, by its purpose. Targets that find faults do not know the command line:
/// the code that talks to the user names the option.
package enum UserOption: Hashable, Sendable, CaseIterable {
  /// The encoder of a model that has two.
  case encoder
  /// How the vectors of tokens become one.
  case pooling
  /// The folder of the files that prepare a package's texts.
  case tokenizer
  /// Outputs that the model's own library gave.
  case sourceCheck
  /// The folder that paths of a project may not leave.
  case root
  /// A version older than one that an app has.
  case allowDowngrade
  /// An index that no signed list confirms.
  case acceptIndex
  /// One part of a build.
  case shard
  /// Everything, for programs.
  case json
  /// The command that shows how a model is read.
  case inspection
  /// The command that explains a drift, and looks for a mend.
  case explanation

  /// The spelling of an option; nil if the user has no such option.
  package typealias Names = @Sendable (UserOption) -> String?
}

/// A fault whose way out may be an option.
package protocol NamesOptions: CustomStringConvertible {
  /// The fault and the way out, with options spelled by `name`.
  func words(_ name: UserOption.Names) -> String
}

extension NamesOptions {
  /// The same where a user has no options.
  package var description: String { words { _ in nil } }
}
