/// A build that stays where it is once its first work lies on disk, however fast the machine is: its
/// stderr is a pipe with room for one line, and nobody reads it.
enum HeldBuild {
  /// bash functions. `hold COMMAND…` starts a build into `out` and waits until its work is there; the
  /// process is `$held`. `release` lets it go on, and prints what it says until it ends. `interrupt
  /// SIGNAL` sends it a signal that comes before its next step, and makes room for what it says of it:
  /// all of it was stopped first, so that it cannot end before the signal is there.
  static let functions = #"""
    hold() {
      mkfifo said; exec 3<>said
      dd if=/dev/zero of=said bs=4096 oflag=nonblock 2>/dev/null
      dd if=said of=/dev/null bs=4096 count=1 2>/dev/null
      # '[1/4] vector: int8 per channel' fits, the line behind it does not.
      head -c $((4096 - 50)) /dev/zero >&3
      "$@" 2>said 3>&- & held=$!
      until compgen -G 'out/.ingot-*/*' >/dev/null; do
        kill -0 $held 2>/dev/null || exit 99
        sleep 0.005
      done
    }
    interrupt() {
      kill -STOP $held
      until [ -z "$(grep -L '^State:.T' /proc/$held/task/*/status)" ]; do sleep 0.005; done
      kill -"$1" $held || exit 98
      dd if=said of=/dev/null bs=4096 iflag=nonblock 2>/dev/null
      kill -CONT $held
    }
    release() { exec 4<said 3>&-; tr -d '\0' <&4; }

    """#
}
