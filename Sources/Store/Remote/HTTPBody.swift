import CCurl
import Files

/// Where the body of an answer goes, and how much of it is taken.
final class HTTPBody {
  /// Most bytes that are taken.
  let limit: Int
  /// Whether `limit` is the very number of bytes, known before they come.
  let isExact: Bool
  private let take: (RawSpan) throws -> Void

  init(limit: Int, isExact: Bool = false, _ take: @escaping (RawSpan) throws -> Void) {
    self.limit = limit
    self.isExact = isExact
    self.take = take
  }

  func callAsFunction(_ bytes: RawSpan) throws { try take(bytes) }

  /// Whether a body of an announced size can be the one that is wanted.
  func suits(_ announced: Int) -> Bool { isExact ? announced == limit : announced <= limit }
}

/// An answer on its way in.
@safe final class HTTPTransfer {
  /// Most bytes of an answer that is not wanted, such as the page of a 404 or a word of thanks, taken
  /// to keep the connection.
  static let pageLimit = 1 << 16

  private let handle: UnsafeMutableRawPointer
  private let body: HTTPBody
  private var byteCount = 0
  /// Why the answer was not taken to its end, if it was not.
  private(set) var ending: HTTPAnswer?

  init(_ handle: UnsafeMutableRawPointer, _ body: HTTPBody) {
    unsafe self.handle = unsafe handle
    self.body = body
  }

  static func at(_ context: UnsafeMutableRawPointer?) -> HTTPTransfer {
    guard let context = unsafe context else { preconditionFailure("a context was set") }
    return unsafe Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue()
  }

  /// Checks the headers before waiting for the body.
  ///
  /// - Returns: whether the request goes on.
  func seeHeader() -> Bool {
    let announced = unsafe Int(ingot_curl_announced(handle))
    guard unsafe ingot_curl_status(handle) == 200, announced >= 0, !body.suits(announced) else {
      return true
    }
    ending = .announced(announced)
    return false
  }

  /// - Returns: the number of bytes taken; any other than were given ends the request.
  func take(_ bytes: UnsafeRawBufferPointer) -> Int {
    let isWanted = unsafe ingot_curl_status(handle) == 200
    let limit = isWanted ? body.limit : HTTPTransfer.pageLimit
    byteCount += bytes.count
    guard byteCount <= limit else {
      ending = isWanted ? .tooLong : .failed("its page for an error has more than \(limit) bytes")
      return 0
    }
    if !isWanted { return bytes.count }
    do {
      try unsafe body(bytes.bytes)
      return bytes.count
    } catch {
      ending = .notTaken("\(error)")
      return 0
    }
  }
}

/// A file on its way out.
final class HTTPSource {
  private let file: MappedFile
  private var offset = 0

  init(_ file: MappedFile) { self.file = file }

  static func at(_ context: UnsafeMutableRawPointer?) -> HTTPSource {
    guard let context = unsafe context else { preconditionFailure("a context was set") }
    return unsafe Unmanaged<HTTPSource>.fromOpaque(context).takeUnretainedValue()
  }

  /// - Returns: the number of bytes written into the buffer, 0 at the end.
  func give(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    let range = offset..<min(offset + buffer.count, file.byteCount)
    file.withBytes(in: range) { span in
      unsafe span.withUnsafeBytes { unsafe buffer.copyMemory(from: $0) }
    }
    file.letGo(of: range)
    offset = range.upperBound
    return range.count
  }

  /// Goes back, to send some bytes again on another connection.
  func seek(_ offset: Int, _ origin: Int32) -> Int32 {
    // 0 is SEEK_SET, the only origin libcurl uses.
    guard origin == 0, (0...file.byteCount).contains(offset) else { return CURL_SEEKFUNC_CANTSEEK }
    self.offset = offset
    return CURL_SEEKFUNC_OK
  }
}
