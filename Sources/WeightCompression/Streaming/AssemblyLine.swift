import Dispatch
import Files

/// Makes pieces on several threads and hands them out in order, without getting far ahead.
///
/// `Workers` gives the threads; `Workers.map` is for results that all fit in memory.
///
/// At any time the pieces being made take at most the largest one and `slack` bytes more; so do
/// those that wait to be handed out.
final class AssemblyLine<Piece: Sendable>: Sendable {
  private struct State {
    var next = 0
    var handedOut = 0
    var bytesInWork = 0
    var waiting: [Int: Piece] = [:]
    var bytesWaiting = 0
    var isRefused = false
    var isStopped = false
    /// Wake the threads that sleep until something changes. Each thread has its own, so that no
    /// thread takes another's signal.
    var sleepers: [DispatchSemaphore] = []
  }

  /// Bytes allowed beyond the largest piece.
  private static var slack: Int { 32 << 20 }
  /// Where all pieces together have fewer bytes, the calling thread makes them: another would take longer to start.
  private static var loneBytes: Int { 32 << 10 }

  private let sizes: [Int]
  private let limit: Int
  private let workers: Int
  private let make: @Sendable (Int, Bool) -> Piece
  private let state = Mutex(State())

  /// - Parameters:
  ///   - sizes: bytes that each piece needs while it is made.
  ///   - make: makes a piece; its second argument says whether an earlier one was refused.
  init(sizes: [Int], workers: Int, make: @escaping @Sendable (Int, Bool) -> Piece) {
    self.sizes = sizes
    limit = (sizes.max() ?? 0) + Self.slack
    let isLittle = sizes.count < 100 && sizes.allSatisfy { $0 < Self.loneBytes / sizes.count }
    self.workers = isLittle ? 0 : min(workers, sizes.count)
    self.make = make
  }

  /// Notes that a piece was refused, for pieces made from now on.
  func refuse() { state.withLock { $0.isRefused = true } }

  /// Makes all pieces and calls `body` with each, in order, on the calling thread.
  func run(_ body: (Piece) throws -> Void) throws {
    try Workers.run(workers) {
      while self.makeNext() {}
    } beside: { threads in
      for index in sizes.indices {
        if threads == 0 { _ = makeNext() }
        try body(take(index))
      }
    } end: {
      alter { $0.isStopped = true }
    }
  }

  /// Makes the next piece.
  ///
  /// - Returns: whether there was one.
  private func makeNext() -> Bool {
    guard let index = start() else { return false }
    let piece = make(index, state.withLock { $0.isRefused })
    alter { state in
      state.bytesInWork -= sizes[index]
      state.waiting[index] = piece
      state.bytesWaiting += sizes[index]
    }
    return true
  }

  /// The next piece to make, once there is room for it; nil at the end.
  private func start() -> Int? {
    wait { state -> Int?? in
      guard !state.isStopped, state.next < sizes.count else { return .some(nil) }
      let index = state.next
      let isRoom =
        (state.bytesInWork == 0 || state.bytesInWork + sizes[index] <= limit)
        && (index == state.handedOut || state.bytesWaiting <= limit)
      guard isRoom else { return nil }
      state.next += 1
      state.bytesInWork += sizes[index]
      return index
    }
  }

  /// A piece, once it is made.
  private func take(_ index: Int) -> Piece {
    let piece = wait { $0.waiting.removeValue(forKey: index) }
    alter { state in
      state.bytesWaiting -= sizes[index]
      state.handedOut = index + 1
    }
    return piece
  }

  /// Changes the state and wakes the threads waiting for that.
  private func alter(_ body: (inout State) -> Void) {
    let sleepers = state.withLock { state in
      body(&state)
      defer { state.sleepers = [] }
      return state.sleepers
    }
    for sleeper in sleepers { sleeper.signal() }
  }

  /// Asks again after every change until there is an answer.
  private func wait<Answer>(_ ask: (inout State) -> Answer?) -> Answer {
    while true {
      let change = DispatchSemaphore(value: 0)
      let answer = state.withLock { state -> Answer? in
        let answer = ask(&state)
        if answer == nil { state.sleepers.append(change) }
        return answer
      }
      if let answer { return answer }
      change.wait()
    }
  }
}
