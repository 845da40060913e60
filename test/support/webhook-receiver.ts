import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createReceiver } from './receivers.ts'

/**
 * A receiver of webhooks as a separate process. It writes each delivery to a line of `RECEIVER_FILE` and
 * answers a little later, so that it can be killed in between. It prints its URL.
 */
const receiver = await createReceiver()
receiver.answerWith(async ({ text }, response) => {
  appendFileSync(String(process.env.RECEIVER_FILE), `${text}\n`)
  await sleep(20)
  response.writeHead(204).end()
})
process.stdout.write(`listening on ${receiver.url}\n`)
