/// A string compared by its bytes.
///
/// Swift's own `==` takes canonically equivalent strings for equal ("é" as one scalar and as two);
/// keys of a file and pieces of a vocabulary are different when their bytes are.
package struct ExactString: Hashable, Sendable {
  package let string: String

  package init(_ string: String) { self.string = string }

  package static func == (left: ExactString, right: ExactString) -> Bool {
    left.string.utf8.count == right.string.utf8.count
      && left.string.utf8.elementsEqual(right.string.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    let hashed: Void? = unsafe string.utf8.withContiguousStorageIfAvailable {
      unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    if hashed == nil {
      unsafe Array(string.utf8).withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
    hasher.combine(string.utf8.count)
  }
}
