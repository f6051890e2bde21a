// What messages mean and what to do, for the page "Help". Where a message has a varying part, `…` stands for it.

export interface MessageHelp {
  readonly message: string;
  readonly meaning: string;
  /** What to do; empty: nothing needs doing. */
  readonly todo: string;
}

export const messages: readonly MessageHelp[] = [
  {
    message: 'The service cannot be reached',
    meaning: 'The network or the service is away. Recording goes on; what is stored here waits.',
    todo: 'No action needed: sending resumes automatically. If it stays, test the connection on the page "Settings".',
  },
  {
    message: 'The name … cannot be looked up',
    meaning: 'The address is misspelled, or this PC has no network.',
    todo: 'Check the cable or Wi-Fi, then the address on the page "Settings".',
  },
  {
    message: '… refuses the connection',
    meaning: 'The other PC is there, but no service listens at this port.',
    todo: 'Check the port in the address, or wait until the service is started again.',
  },
  {
    message: 'The service refuses the key',
    meaning: 'The key was revoked, has run out, or belongs to somebody else. Recording goes on.',
    todo: 'Enter a valid key on the page "Settings"; the administrator of the service issues it.',
  },
  {
    message: 'What waits here belongs to another account',
    meaning: 'With this key none of the streams of this PC can be seen: nothing is sent to the wrong place.',
    todo: 'Enter the key of the former account, or start Epistream with a data folder of its own for the new one.',
  },
  {
    message: 'This network answers instead of …',
    meaning: 'A log-in page or a proxy stands in between.',
    todo: 'Open a browser on this PC and log in to the network.',
  },
  {
    message: 'The certificate of … is not trusted',
    meaning: 'It is signed by an authority that this PC does not know, often one of the laboratory.',
    todo: 'Ask for the file of that authority (PEM) and name it on the page "Settings". Never switch the check off.',
  },
  {
    message: 'The certificate of … is out of date by the clock of this PC',
    meaning: 'The date of this PC is wrong, or the certificate has run out.',
    todo: 'Set the date and time of this PC.',
  },
  {
    message: 'The disk is full',
    meaning: 'Nothing more can be stored. Logs are read later; what a live instrument says meanwhile is a gap.',
    todo: 'Free space on the disk of the data folder.',
  },
  {
    message: 'The buffer lasts … at this rate',
    meaning: 'What waits fills the disk before that time is over.',
    todo: 'Free space, or bring the service within reach.',
  },
  {
    message: 'The folder … cannot be reached',
    meaning: 'The drive or share is not there, or the folder was renamed.',
    todo: 'Bring it back; it is tried again by itself. If it has another name now, edit the source.',
  },
  {
    message: '… can be read as …; nothing is streamed from it until that is settled',
    meaning: '12/06/2023 can be read in two ways, and a wrong choice moves months of data. Nothing is guessed.',
    todo: 'Open the source on the page "Sources": both readings stand side by side. Choose the right one.',
  },
  {
    message: 'Stopped, while other files of the folder go on',
    meaning: 'That log is overdue and its neighbours are not.',
    todo: 'Look at its sensor and its logging in the tool.',
  },
  {
    message: '… is in use by another program',
    meaning: 'A serial port is opened by one program at a time.',
    todo: 'Close the terminal or the tool software that has it. It is tried again by itself.',
  },
  {
    message: '… does not answer',
    meaning: 'The port is open, and the instrument says nothing to the questions that are asked.',
    todo: 'Check that it is on, its cable, its address, and baud rate, data bits and parity on its front.',
  },
  {
    message: 'The service refused …; they are kept here',
    meaning: 'They break a rule of the service.',
    todo: 'Read its words on the page of the stream. When the service is repaired, press "Send again" there.',
  },
  {
    message: 'Stream … is held: …',
    meaning:
      'Most often its count differs: the service holds another number of points than were sent. Nothing more of this stream is sent.',
    todo: 'All of it is safe here. Make the file for support and ask the administrator of the service.',
  },
  {
    message: 'Recording stopped; … points could not be stored',
    meaning: 'The disk refused to the end. Logs are read again at the next start; the rest is listed as a gap.',
    todo: 'Look at the disk before the next run.',
  },
  {
    message: 'The settings file … is …, as after a power cut',
    meaning:
      'It is empty or cut off: a power cut hit while it was written. Recording goes on with the settings of the last run.',
    todo: 'Look at the settings, and save them once on the page "Settings".',
  },
  {
    message: '… could not be exported to …',
    meaning: 'The folder that growth.after names is away or full, or the service that has older points is.',
    todo: 'See that the folder is there and has room; it is tried again by itself. What was captured is safe.',
  },
];
