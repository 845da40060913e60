import * as vitest from 'vitest'
import { echoTranscriber } from './echo-transcriber.ts'
import { transcriberContract } from './transcriber-contract.ts'

transcriberContract(vitest, echoTranscriber)
