/** The clock of a test: time does not pass, and work can run at another time. */
export function createClock(now = new Date()) {
  return {
    clock: () => now,
    async at<Result>(time: number, work: () => Promise<Result>): Promise<Result> {
      const present = now
      now = new Date(time)
      try {
        return await work()
      } finally {
        now = present
      }
    },
  }
}
