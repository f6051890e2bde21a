// A mail server (SMTP, RFC 5321) on the loopback that keeps its mails. Made by hand: EHLO, AUTH PLAIN, MAIL, RCPT, DATA.
import { createServer, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Certificate } from './faults/middleman.ts';
import { listenHere } from './listen.ts';

interface MailServerOptions {
  /** `user:password` that it wants; left out: no log-in is offered. */
  readonly login?: string;
  /** A recipient that it refuses. */
  readonly refuses?: string;
  /** It offers STARTTLS with this certificate. */
  readonly certificate?: Certificate;
  /** It takes connections and says nothing. */
  readonly isSilent?: boolean;
}

export interface MailServer {
  readonly port: number;
  /** Each mail: its recipients, and its lines as they came. */
  readonly mails: { readonly to: string[]; readonly text: string }[];
  /** Every line that it was sent before TLS. */
  readonly readable: string[];
}

/** Start one; it ends with the test. */
export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const server: MailServer & { port: number } = { port: 0, mails: [], readable: [] };
  const listening: Server = createServer((socket) => {
    if (!options.isSilent) talk(socket, options, server);
  });
  server.port = await listenHere(listening);
  return server;
}

function talk(socket: Socket, options: MailServerOptions, { mails, readable }: MailServer, isSecure = false): void {
  const { login, refuses, certificate } = options;
  let [rest, to, data] = ['', [] as string[], null as string[] | null];
  const say = (line: string) => socket.write(`${line}\r\n`);
  const take = (line: string) => {
    if (!isSecure) readable.push(line);
    if (data) {
      if (line !== '.') return data.push(line);
      mails.push({ to, text: data.join('\n') });
      [to, data] = [[], null];
      return say('250 taken');
    }
    const [verb = '', word = ''] = line.split(' ');
    switch (verb.toUpperCase()) {
      case 'EHLO':
        if (certificate && !isSecure) say('250-STARTTLS');
        if (login) say('250-AUTH PLAIN');
        return say('250 here');
      case 'STARTTLS': {
        say('220 go on');
        socket.removeAllListeners('data');
        const secured = new TLSSocket(socket, { isServer: true, ...certificate });
        secured.on('error', () => socket.destroy());
        return talk(secured, options, { mails, readable, port: 0 }, true);
      }
      case 'AUTH': {
        const given = Buffer.from(line.split(' ')[2] ?? '', 'base64')
          .toString()
          .split('\0')
          .slice(1)
          .join(':');
        return say(given === login ? '235 welcome' : `535 not ${given}`);
      }
      case 'RCPT': {
        const address = line.slice(line.indexOf('<') + 1, line.indexOf('>'));
        if (address === refuses) return say('550 no such user');
        to.push(address);
        return say('250 ok');
      }
      case 'DATA':
        data = [];
        return say('354 go on');
      case 'QUIT':
        return socket.end('221 bye\r\n');
      default:
        return say(word === '' && verb === '' ? '500 what' : '250 ok');
    }
  };
  socket.on('error', () => socket.destroy());
  socket.on('data', (bytes) => {
    const lines = (rest + bytes.toString()).split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
  if (!isSecure) say('220 mail.test');
}
