/// Why inputs cannot be made as the gate made them.
public enum InputError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A text is not an input configuration; the fault, with its place.
  case configuration(String)
  /// A configuration is of another kind of input.
  case otherKind(found: String, needed: String)
  /// A file that the configuration names was not handed over.
  case missingFile(name: String)
  /// A file has other bytes than those that the gate read; SHA-256 of both in hexadecimal.
  case otherFile(name: String, found: String, needed: String)
  /// The tokenizer's files cannot be used together with the configuration.
  case tokenizer(String)
  /// The model does not take a text.
  case text(String)
  /// An image in memory does not have the bytes that its size needs, or is too large.
  case image(String)
  /// The beginning of a file is not that of a compressed model in a safetensors file.
  case header(String)

  /// One line: what is wrong, the two values that disagree, and how to go on.
  public var description: String {
    switch self {
    case .configuration(let fault): fault
    case .otherKind(let found, let needed):
      "the input configuration is of \(found), \(needed) is needed"
    case .missingFile(let name):
      "the file '\(name)', which the input configuration names, is missing; hand over every file "
        + "that came with the model"
    case .otherFile(let name, let found, let needed):
      "the file '\(name)' has SHA-256 \(found), the input configuration says \(needed); take the "
        + "file that came with the model"
    case .tokenizer(let fault): fault
    case .text(let fault): "the text \(fault)"
    case .image(let fault): "the image \(fault)"
    case .header(let fault): fault
    }
  }
}
