import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { transcriberContract } from '@eep/core/testing'
import * as vitest from 'vitest'
import { ownTranscriber } from './own-transcriber.ts'

/** Transcribes WAV at 8 kHz. */
const service = createServer((request, response) => {
  const answer = (bytes: Buffer) => {
    const isSound = bytes.toString('latin1', 0, 4) === 'RIFF'
    const seconds = isSound ? bytes.readUInt32LE(40) / 8_000 : 0
    response.writeHead(isSound ? 200 : 422, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ seconds, utterances: [{ from: 0, to: seconds, words: 'Hello.' }] }))
  }
  buffer(request).then(answer, () => response.destroy())
}).listen(0, '127.0.0.1')
vitest.afterAll(() => void service.close())

transcriberContract(vitest, () => ownTranscriber(`http://127.0.0.1:${(service.address() as AddressInfo).port}`))
