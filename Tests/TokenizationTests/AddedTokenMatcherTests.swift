import Testing

@testable import Tokenization

/// Added tokens found in a text; the expected pieces are those of Hugging Face's library.
struct AddedTokenMatcherTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let tokens: [AddedToken]
    let text: String
    /// Text in quotes, tokens as their ids.
    let pieces: String

    init(_ tokens: [AddedToken], _ text: String, _ pieces: String) {
      self.tokens = tokens
      self.text = text
      self.pieces = pieces
    }

    var testDescription: String { "\(tokens.map { spelled($0.text) }) in '\(text)'" }
  }

  static func token(
    _ text: String, _ id: Int32, single: Bool = false, left: Bool = false, right: Bool = false
  ) -> AddedToken {
    AddedToken(
      text: scalars(text), id: id, isSingleWord: single, stripsLeft: left, stripsRight: right)
  }

  static let cases: [Case] = [
    Case([], "abc", "'abc'"),
    Case([], "", ""),
    Case([token("X", 4)], "", ""),
    Case([token("X", 4)], "X", "4"),
    Case([token("X", 4)], "aXXb", "'a' 4 4 'b'"),
    Case([token("X", 4)], "a X b", "'a ' 4 ' b'"),
    Case([token("X", 4, left: true)], "a  X b", "'a' 4 ' b'"),
    Case([token("X", 4, right: true)], "a X  b", "'a ' 4 'b'"),
    Case([token("X", 4, left: true, right: true)], " X X ", "4 4"),
    Case([token("X", 4, single: true)], "X aX Xa X,_X", "4 ' aX Xa ' 4 ',_X'"),
    // The longest at the leftmost place, then on behind it.
    Case([token("ab", 4), token("abc", 5), token("bcd", 6)], "abcd ab bcd", "5 'd ' 4 ' ' 6"),
    Case([token("aa", 4)], "aaaaa", "4 4 'a'"),
    // A match that does not count is passed over as a whole.
    Case([token("ab", 4, single: true), token("b", 5)], "abab", "'abab'"),
    // Equal ones: the first.
    Case([token("x", 4), token("x", 5)], "x", "4"),
    // Tokens of white space meet what others took along.
    Case([token(" ", 4, right: true)], "a  b", "'a' 4 4 'b'"),
    Case([token(" ", 4), token("X", 5, right: true)], "aX  b", "'a' 5 4 4 'b'"),
    Case(
      [token(" ", 4, left: true, right: true), token("X", 5, right: true)], "aX b", "'a' 5 'b'"),
    Case([token("[A]", 4)], "[[A]][A", "'[' 4 '][A'"),
    // Compared scalar by scalar.
    Case([token("\u{E9}", 4)], "e\u{301}\u{E9}", "'e{301}' 4"),
  ]

  @Test(arguments: cases) func finds(_ test: Case) {
    let text = scalars(test.text)
    let pieces = AddedTokenMatcher(test.tokens).pieces(of: text).map { piece in
      switch piece {
      case .text(let range): "'\(spelled(text[range]))'"
      case .token(let id): "\(id)"
      }
    }
    #expect(pieces.joined(separator: " ") == test.pieces)
  }
}
