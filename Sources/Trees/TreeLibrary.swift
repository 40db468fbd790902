package import Files

/// A form in which a library saves its trees.
///
/// To add one: a folder beside this file, and its type in `TreeLibraries.all`.
package protocol TreeLibrary: Sendable {
  /// Whether a file that begins so is of this form.
  static func recognises(_ start: [UInt8]) -> Bool
  /// Reads a file of this form.
  ///
  /// - Throws: `TreeError` that names the tree and the node, and errors of its syntax.
  static func read(_ file: MappedFile) throws -> TreeModel
  /// Reads a file of this form, which may hold steps before and behind its trees, or none.
  ///
  /// - Throws: as `read`.
  static func open(_ file: MappedFile) throws -> TabularModel
  /// How `TreeModel.library` begins where the library adds leaves in 32 bits, tree after tree, so that its sums
  /// are known to the last bit; nil where it does not.
  static var orderedFloatSums: String? { get }
}

extension TreeLibrary {
  package static var orderedFloatSums: String? { nil }
  package static func open(_ file: MappedFile) throws -> TabularModel { .trees(try read(file)) }
}

/// Every form that is read, in the order they are tried.
package enum TreeLibraries {
  package static let all: [any TreeLibrary.Type] = [
    XGBoostModel.self, LightGBMModel.self, CatBoostModel.self, ONNXTrees.self,
  ]

  /// Whether sums in 32 bits of trees that a library grew are its own, to the last bit.
  ///
  /// - Parameter library: as `TreeModel.library` says it.
  package static func addsFloatsInOrder(_ library: String) -> Bool {
    all.contains { $0.orderedFloatSums.map(library.hasPrefix) ?? false }
  }
}
