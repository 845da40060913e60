import { afterEach, expect } from 'vitest'
import { recordAnswers, undocumentedAnswers } from './support/documented-answers.ts'

// Every answer that a test of the HTTP interface receives is one that the OpenAPI document describes: its status, its media
// type, and its JSON body. Answers to `beforeAll` belong to the first test.
const isRecorded = expect.getState().testPath?.match(/\/test\/http\//) != null
recordAnswers(isRecorded)
if (isRecorded) afterEach(async () => expect(await undocumentedAnswers()).toEqual([]))
