import { parentPort, type TransferListItem } from 'node:worker_threads'

/**
 * The message with the answer to a job. Node adds its own messages: with `node --watch`, the names of the files that a
 * thread loads.
 */
export interface AnswerMessage<Answer> {
  readonly answer: Answer | undefined
}

/** Whether a message of a thread is the answer to a job. */
export const isAnswer = <Answer>(message: unknown): message is AnswerMessage<Answer> =>
  typeof message === 'object' && message !== null && Object.hasOwn(message, 'answer')

/**
 * Answers each job of the thread in which it is called with one message: what a function returns, and undefined when it fails, so that the
 * thread stays usable for the next job.
 *
 * @param moved - the buffers of an answer that are moved instead of copied. Default: none
 */
export function answerJobs<Job, Answer>(
  run: (job: Job) => Answer | Promise<Answer>,
  moved: (answer: Answer) => readonly TransferListItem[] = () => [],
): void {
  async function answer(job: Job): Promise<void> {
    let result: Answer
    try {
      result = await run(job)
    } catch {
      // For example, a text is nested too deeply for the stack.
      parentPort?.postMessage({ answer: undefined } satisfies AnswerMessage<Answer>)
      return
    }
    parentPort?.postMessage({ answer: result } satisfies AnswerMessage<Answer>, moved(result))
  }
  parentPort?.on('message', (job: Job) => void answer(job))
}
