/**
 * Waits for a promise for a limited time. What it waits for is not stopped.
 *
 * @throws an Error when it does not settle in time, else what it rejects with
 */
export async function within<Value>(promise: PromiseLike<Value>, timeoutMs: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No response within ${timeoutMs} ms`)), timeoutMs)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
