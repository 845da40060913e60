import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { EICAR, scannerContract } from '@eep/core/testing'
import * as vitest from 'vitest'
import { httpScanner } from './own-scanner.ts'

const service = createServer((request, response) => {
  const answer = (bytes: Buffer) => {
    const found = bytes.includes(EICAR) ? 'Eicar-Signature' : null
    response.end(JSON.stringify({ found }))
  }
  buffer(request).then(answer, () => response.destroy())
}).listen(0, '127.0.0.1')
vitest.afterAll(() => void service.close())

scannerContract(vitest, () => ({
  scanner: httpScanner(`http://127.0.0.1:${(service.address() as AddressInfo).port}`),
  unreachable: httpScanner('http://127.0.0.1:1'),
}))
