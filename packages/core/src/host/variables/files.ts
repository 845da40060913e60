import { z } from 'zod'
import { clamdScanner } from '../../adapters/clamd-scanner.ts'
import { httpTranscriber } from '../../adapters/http-transcriber.ts'
import { defineHostAdapter } from '../host-adapter.ts'
import { excludeEachOther, needs } from '../rule.ts'
import { baseUrl, matching, openVariable, port, secretVariable, word } from '../variable.ts'
import { sendsKeyInClear } from './openai-services.ts'
import { CORE } from './service.ts'

/** The scanner and the transcriber of files. Without them, nothing is scanned or transcribed. */
export const fileVariables = defineHostAdapter({
  name: CORE,
  prefixes: [],
  variables: {
    CLAMD_HOST: openVariable(
      matching(/^[\w.:-]+$/, 'is not a host'),
      'where clamd listens; leave it out to scan nothing',
      'clamd',
      { comment: 'Virus scanner. Uploads are rejected while clamd does not respond.' },
    ),
    CLAMD_PORT: openVariable(port, 'the port of clamd, 3310 by default', '3310'),
    CLAMD_SOCKET: openVariable(
      z.string(),
      'the path of the local socket of clamd, instead of CLAMD_HOST',
      '/run/clamav/clamd.ctl',
    ),
    TRANSCRIBER_URL: openVariable(
      baseUrl,
      'where a speech service is that speaks the API of OpenAI, without /audio/transcriptions; leave it out for none',
      'https://api.openai.com/v1',
      { comment: 'Transcripts, by a service with the API of OpenAI.' },
    ),
    TRANSCRIBER_API_KEY: secretVariable(
      word,
      'the API key of the speech service; leave it out if the service needs none',
    ),
    TRANSCRIBER_MODEL: openVariable(
      word,
      'the name of a model of the speech service; whisper-1 is the default',
      'whisper-1',
    ),
  },
  rules: [
    needs('CLAMD_PORT', 'CLAMD_HOST'),
    excludeEachOther('CLAMD_SOCKET', 'CLAMD_HOST'),
    needs('TRANSCRIBER_API_KEY', 'TRANSCRIBER_URL'),
    needs('TRANSCRIBER_MODEL', 'TRANSCRIBER_URL'),
    sendsKeyInClear('TRANSCRIBER_URL', 'TRANSCRIBER_API_KEY'),
  ],
  parts: ({ CLAMD_HOST, CLAMD_PORT, CLAMD_SOCKET, TRANSCRIBER_URL: url, ...transcriber }) => {
    const { TRANSCRIBER_API_KEY: apiKey, TRANSCRIBER_MODEL: model } = transcriber
    const scanner =
      CLAMD_SOCKET !== undefined
        ? clamdScanner({ socketPath: CLAMD_SOCKET })
        : CLAMD_HOST !== undefined
          ? clamdScanner({ host: CLAMD_HOST, port: CLAMD_PORT })
          : undefined
    return { scanner, transcriber: url === undefined ? undefined : httpTranscriber({ url, apiKey, model }) }
  },
})
