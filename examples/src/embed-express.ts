import { toNodeHandler } from '@eep/core'
import express from 'express'
import { app } from './embed-app.ts'

const site = express()
site.use('/eep', toNodeHandler(app)) // before body parsers
site.use(express.json())
site.get('/', (_request, response) => void response.send('A shop'))
export const server = site.listen(Number(process.env.PORT ?? 3000))
