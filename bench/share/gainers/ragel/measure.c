
#line 1 "inputs/measure-patterns.rl"

#line 25 "inputs/measure-patterns.rl"


#line 3 "measure.c"
static const int generated_start = 1;
static const int generated_first_final = 970;
static const int generated_error = 0;

static const int generated_en_main = 1;


#line 27 "inputs/measure-patterns.rl"
int scan(const char *p, const char *pe) { int cs, n = 0; 
#line 9 "measure.c"
	{
	cs = generated_start;
	}

#line 28 "inputs/measure-patterns.rl"

#line 12 "measure.c"
	{
	if ( p == pe )
		goto _test_eof;
	switch ( cs )
	{
case 1:
	switch( (*p) ) {
		case 98: goto st2;
		case 100: goto st243;
		case 102: goto st256;
		case 103: goto st304;
		case 107: goto st368;
		case 108: goto st465;
		case 109: goto st564;
		case 110: goto st643;
		case 112: goto st656;
		case 114: goto st683;
		case 115: goto st773;
		case 116: goto st807;
		case 118: goto st860;
		case 122: goto st901;
	}
	goto st0;
st0:
cs = 0;
	goto _out;
st2:
	if ( ++p == pe )
		goto _test_eof2;
case 2:
	switch( (*p) ) {
		case 111: goto st3;
		case 117: goto st226;
	}
	goto st0;
st3:
	if ( ++p == pe )
		goto _test_eof3;
case 3:
	switch( (*p) ) {
		case 110: goto st4;
		case 116: goto st211;
	}
	goto st0;
st4:
	if ( ++p == pe )
		goto _test_eof4;
case 4:
	if ( (*p) == 115 )
		goto st5;
	goto st0;
st5:
	if ( ++p == pe )
		goto _test_eof5;
case 5:
	if ( (*p) == 111 )
		goto st6;
	goto st0;
st6:
	if ( ++p == pe )
		goto _test_eof6;
case 6:
	if ( (*p) == 98 )
		goto st7;
	goto st0;
st7:
	if ( ++p == pe )
		goto _test_eof7;
case 7:
	if ( (*p) == 111 )
		goto st8;
	goto st0;
st8:
	if ( ++p == pe )
		goto _test_eof8;
case 8:
	if ( (*p) == 107 )
		goto st9;
	goto st0;
st9:
	if ( ++p == pe )
		goto _test_eof9;
case 9:
	if ( (*p) == 101 )
		goto st10;
	goto st0;
st10:
	if ( ++p == pe )
		goto _test_eof10;
case 10:
	if ( (*p) == 103 )
		goto st11;
	goto st0;
st11:
	if ( ++p == pe )
		goto _test_eof11;
case 11:
	if ( (*p) == 105 )
		goto tr26;
	goto st0;
tr26:
#line 3 "inputs/measure-patterns.rl"
	{ n = 36; }
	goto st12;
tr241:
#line 3 "inputs/measure-patterns.rl"
	{ n = 24; }
	goto st12;
tr258:
#line 3 "inputs/measure-patterns.rl"
	{ n = 34; }
	goto st12;
tr271:
#line 3 "inputs/measure-patterns.rl"
	{ n = 7; }
	goto st12;
tr288:
#line 3 "inputs/measure-patterns.rl"
	{ n = 43; }
	goto st12;
tr295:
#line 3 "inputs/measure-patterns.rl"
	{ n = 58; }
	goto st12;
tr312:
#line 3 "inputs/measure-patterns.rl"
	{ n = 52; }
	goto st12;
tr322:
#line 3 "inputs/measure-patterns.rl"
	{ n = 35; }
	goto st12;
tr332:
#line 3 "inputs/measure-patterns.rl"
	{ n = 44; }
	goto st12;
tr351:
#line 3 "inputs/measure-patterns.rl"
	{ n = 21; }
	goto st12;
tr372:
#line 3 "inputs/measure-patterns.rl"
	{ n = 23; }
	goto st12;
tr389:
#line 3 "inputs/measure-patterns.rl"
	{ n = 3; }
	goto st12;
tr412:
#line 3 "inputs/measure-patterns.rl"
	{ n = 27; }
	goto st12;
tr418:
#line 3 "inputs/measure-patterns.rl"
	{ n = 54; }
	goto st12;
tr434:
#line 3 "inputs/measure-patterns.rl"
	{ n = 47; }
	goto st12;
tr444:
#line 3 "inputs/measure-patterns.rl"
	{ n = 14; }
	goto st12;
tr458:
#line 3 "inputs/measure-patterns.rl"
	{ n = 8; }
	goto st12;
tr473:
#line 3 "inputs/measure-patterns.rl"
	{ n = 48; }
	goto st12;
tr492:
#line 3 "inputs/measure-patterns.rl"
	{ n = 29; }
	goto st12;
tr517:
#line 3 "inputs/measure-patterns.rl"
	{ n = 49; }
	goto st12;
tr528:
#line 3 "inputs/measure-patterns.rl"
	{ n = 38; }
	goto st12;
tr541:
#line 3 "inputs/measure-patterns.rl"
	{ n = 0; }
	goto st12;
tr564:
#line 3 "inputs/measure-patterns.rl"
	{ n = 46; }
	goto st12;
tr575:
#line 3 "inputs/measure-patterns.rl"
	{ n = 18; }
	goto st12;
tr596:
#line 3 "inputs/measure-patterns.rl"
	{ n = 30; }
	goto st12;
tr605:
#line 3 "inputs/measure-patterns.rl"
	{ n = 13; }
	goto st12;
tr621:
#line 3 "inputs/measure-patterns.rl"
	{ n = 5; }
	goto st12;
tr631:
#line 3 "inputs/measure-patterns.rl"
	{ n = 28; }
	goto st12;
tr639:
#line 3 "inputs/measure-patterns.rl"
	{ n = 9; }
	goto st12;
tr649:
#line 3 "inputs/measure-patterns.rl"
	{ n = 59; }
	goto st12;
tr662:
#line 3 "inputs/measure-patterns.rl"
	{ n = 15; }
	goto st12;
tr673:
#line 3 "inputs/measure-patterns.rl"
	{ n = 37; }
	goto st12;
tr682:
#line 3 "inputs/measure-patterns.rl"
	{ n = 25; }
	goto st12;
tr695:
#line 3 "inputs/measure-patterns.rl"
	{ n = 41; }
	goto st12;
tr706:
#line 3 "inputs/measure-patterns.rl"
	{ n = 16; }
	goto st12;
tr715:
#line 3 "inputs/measure-patterns.rl"
	{ n = 26; }
	goto st12;
tr724:
#line 3 "inputs/measure-patterns.rl"
	{ n = 17; }
	goto st12;
tr745:
#line 3 "inputs/measure-patterns.rl"
	{ n = 4; }
	goto st12;
tr757:
#line 3 "inputs/measure-patterns.rl"
	{ n = 39; }
	goto st12;
tr768:
#line 3 "inputs/measure-patterns.rl"
	{ n = 31; }
	goto st12;
tr789:
#line 3 "inputs/measure-patterns.rl"
	{ n = 53; }
	goto st12;
tr805:
#line 3 "inputs/measure-patterns.rl"
	{ n = 22; }
	goto st12;
tr819:
#line 3 "inputs/measure-patterns.rl"
	{ n = 45; }
	goto st12;
tr828:
#line 3 "inputs/measure-patterns.rl"
	{ n = 11; }
	goto st12;
tr837:
#line 3 "inputs/measure-patterns.rl"
	{ n = 6; }
	goto st12;
tr842:
#line 3 "inputs/measure-patterns.rl"
	{ n = 10; }
	goto st12;
tr856:
#line 3 "inputs/measure-patterns.rl"
	{ n = 2; }
	goto st12;
tr868:
#line 3 "inputs/measure-patterns.rl"
	{ n = 1; }
	goto st12;
tr882:
#line 3 "inputs/measure-patterns.rl"
	{ n = 20; }
	goto st12;
tr900:
#line 3 "inputs/measure-patterns.rl"
	{ n = 40; }
	goto st12;
tr912:
#line 3 "inputs/measure-patterns.rl"
	{ n = 33; }
	goto st12;
tr930:
#line 3 "inputs/measure-patterns.rl"
	{ n = 57; }
	goto st12;
tr949:
#line 3 "inputs/measure-patterns.rl"
	{ n = 50; }
	goto st12;
tr955:
#line 3 "inputs/measure-patterns.rl"
	{ n = 32; }
	goto st12;
tr970:
#line 3 "inputs/measure-patterns.rl"
	{ n = 51; }
	goto st12;
tr984:
#line 3 "inputs/measure-patterns.rl"
	{ n = 19; }
	goto st12;
tr988:
#line 3 "inputs/measure-patterns.rl"
	{ n = 12; }
	goto st12;
tr1008:
#line 3 "inputs/measure-patterns.rl"
	{ n = 56; }
	goto st12;
tr1018:
#line 3 "inputs/measure-patterns.rl"
	{ n = 55; }
	goto st12;
tr1029:
#line 3 "inputs/measure-patterns.rl"
	{ n = 42; }
	goto st12;
st12:
	if ( ++p == pe )
		goto _test_eof12;
case 12:
#line 296 "measure.c"
	if ( (*p) == 32 )
		goto st13;
	goto st0;
st13:
	if ( ++p == pe )
		goto _test_eof13;
case 13:
	switch( (*p) ) {
		case 60: goto st33;
		case 97: goto st67;
		case 98: goto st95;
		case 100: goto st110;
		case 101: goto st118;
		case 102: goto st99;
		case 103: goto st124;
		case 105: goto st103;
		case 107: goto st110;
		case 108: goto st15;
		case 109: goto st130;
		case 110: goto st143;
		case 111: goto st167;
		case 112: goto st124;
		case 114: goto st169;
		case 115: goto st201;
		case 116: goto st99;
		case 117: goto st124;
		case 118: goto st101;
		case 122: goto st207;
	}
	goto st14;
st14:
	if ( ++p == pe )
		goto _test_eof14;
case 14:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st15:
	if ( ++p == pe )
		goto _test_eof15;
case 15:
	switch( (*p) ) {
		case 105: goto st16;
		case 108: goto st15;
		case 109: goto st17;
		case 117: goto st29;
	}
	goto st14;
st16:
	if ( ++p == pe )
		goto _test_eof16;
case 16:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 110: goto st24;
	}
	goto st14;
st17:
	if ( ++p == pe )
		goto _test_eof17;
case 17:
	switch( (*p) ) {
		case 97: goto st18;
		case 105: goto st23;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st18:
	if ( ++p == pe )
		goto _test_eof18;
case 18:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 110: goto st19;
	}
	goto st14;
st19:
	if ( ++p == pe )
		goto _test_eof19;
case 19:
	switch( (*p) ) {
		case 102: goto st20;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st20:
	if ( ++p == pe )
		goto _test_eof20;
case 20:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 117: goto st21;
	}
	goto st14;
st21:
	if ( ++p == pe )
		goto _test_eof21;
case 21:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 110: goto st22;
	}
	goto st14;
st22:
	if ( ++p == pe )
		goto _test_eof22;
case 22:
	switch( (*p) ) {
		case 59: goto st970;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st970:
	if ( ++p == pe )
		goto _test_eof970;
case 970:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st23:
	if ( ++p == pe )
		goto _test_eof23;
case 23:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 114: goto st22;
	}
	goto st14;
st24:
	if ( ++p == pe )
		goto _test_eof24;
case 24:
	switch( (*p) ) {
		case 108: goto st25;
		case 109: goto st17;
	}
	goto st14;
st25:
	if ( ++p == pe )
		goto _test_eof25;
case 25:
	switch( (*p) ) {
		case 105: goto st26;
		case 108: goto st15;
		case 109: goto st17;
		case 117: goto st29;
	}
	goto st14;
st26:
	if ( ++p == pe )
		goto _test_eof26;
case 26:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 110: goto st27;
	}
	goto st14;
st27:
	if ( ++p == pe )
		goto _test_eof27;
case 27:
	switch( (*p) ) {
		case 108: goto st25;
		case 109: goto st17;
		case 112: goto st28;
	}
	goto st14;
st28:
	if ( ++p == pe )
		goto _test_eof28;
case 28:
	switch( (*p) ) {
		case 101: goto st21;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st29:
	if ( ++p == pe )
		goto _test_eof29;
case 29:
	switch( (*p) ) {
		case 100: goto st30;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st30:
	if ( ++p == pe )
		goto _test_eof30;
case 30:
	switch( (*p) ) {
		case 101: goto st31;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st31:
	if ( ++p == pe )
		goto _test_eof31;
case 31:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 115: goto st32;
	}
	goto st14;
st32:
	if ( ++p == pe )
		goto _test_eof32;
case 32:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 116: goto st22;
	}
	goto st14;
st33:
	if ( ++p == pe )
		goto _test_eof33;
case 33:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 114: goto st34;
	}
	goto st14;
st34:
	if ( ++p == pe )
		goto _test_eof34;
case 34:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 111: goto st35;
	}
	goto st14;
st35:
	if ( ++p == pe )
		goto _test_eof35;
case 35:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 114: goto st36;
		case 115: goto st55;
	}
	goto st14;
st36:
	if ( ++p == pe )
		goto _test_eof36;
case 36:
	switch( (*p) ) {
		case 62: goto st22;
		case 108: goto st37;
		case 109: goto st39;
	}
	goto st36;
st37:
	if ( ++p == pe )
		goto _test_eof37;
case 37:
	switch( (*p) ) {
		case 62: goto st22;
		case 105: goto st38;
		case 108: goto st37;
		case 109: goto st39;
		case 117: goto st51;
	}
	goto st36;
st38:
	if ( ++p == pe )
		goto _test_eof38;
case 38:
	switch( (*p) ) {
		case 62: goto st22;
		case 108: goto st37;
		case 109: goto st39;
		case 110: goto st46;
	}
	goto st36;
st39:
	if ( ++p == pe )
		goto _test_eof39;
case 39:
	switch( (*p) ) {
		case 62: goto st22;
		case 97: goto st40;
		case 105: goto st45;
		case 108: goto st37;
		case 109: goto st39;
	}
	goto st36;
st40:
	if ( ++p == pe )
		goto _test_eof40;
case 40:
	switch( (*p) ) {
		case 62: goto st22;
		case 108: goto st37;
		case 109: goto st39;
		case 110: goto st41;
	}
	goto st36;
st41:
	if ( ++p == pe )
		goto _test_eof41;
case 41:
	switch( (*p) ) {
		case 62: goto st22;
		case 102: goto st42;
		case 108: goto st37;
		case 109: goto st39;
	}
	goto st36;
st42:
	if ( ++p == pe )
		goto _test_eof42;
case 42:
	switch( (*p) ) {
		case 62: goto st22;
		case 108: goto st37;
		case 109: goto st39;
		case 117: goto st43;
	}
	goto st36;
st43:
	if ( ++p == pe )
		goto _test_eof43;
case 43:
	switch( (*p) ) {
		case 62: goto st22;
		case 108: goto st37;
		case 109: goto st39;
		case 110: goto st44;
	}
	goto st36;
st44:
	if ( ++p == pe )
		goto _test_eof44;
case 44:
	switch( (*p) ) {
		case 59: goto st971;
		case 62: goto st22;
		case 108: goto st37;
		case 109: goto st39;
	}
	goto st36;
st971:
	if ( ++p == pe )
		goto _test_eof971;
case 971:
	switch( (*p) ) {
		case 62: goto st22;
		case 108: goto st37;
		case 109: goto st39;
	}
	goto st36;
st45:
	if ( ++p == pe )
		goto _test_eof45;
case 45:
	switch( (*p) ) {
		case 62: goto st22;
		case 108: goto st37;
		case 109: goto st39;
		case 114: goto st44;
	}
	goto st36;
st46:
	if ( ++p == pe )
		goto _test_eof46;
case 46:
	switch( (*p) ) {
		case 62: goto st22;
		case 108: goto st47;
		case 109: goto st39;
	}
	goto st36;
st47:
	if ( ++p == pe )
		goto _test_eof47;
case 47:
	switch( (*p) ) {
		case 62: goto st22;
		case 105: goto st48;
		case 108: goto st37;
		case 109: goto st39;
		case 117: goto st51;
	}
	goto st36;
st48:
	if ( ++p == pe )
		goto _test_eof48;
case 48:
	switch( (*p) ) {
		case 62: goto st22;
		case 108: goto st37;
		case 109: goto st39;
		case 110: goto st49;
	}
	goto st36;
st49:
	if ( ++p == pe )
		goto _test_eof49;
case 49:
	switch( (*p) ) {
		case 62: goto st22;
		case 108: goto st47;
		case 109: goto st39;
		case 112: goto st50;
	}
	goto st36;
st50:
	if ( ++p == pe )
		goto _test_eof50;
case 50:
	switch( (*p) ) {
		case 62: goto st22;
		case 101: goto st43;
		case 108: goto st37;
		case 109: goto st39;
	}
	goto st36;
st51:
	if ( ++p == pe )
		goto _test_eof51;
case 51:
	switch( (*p) ) {
		case 62: goto st22;
		case 100: goto st52;
		case 108: goto st37;
		case 109: goto st39;
	}
	goto st36;
st52:
	if ( ++p == pe )
		goto _test_eof52;
case 52:
	switch( (*p) ) {
		case 62: goto st22;
		case 101: goto st53;
		case 108: goto st37;
		case 109: goto st39;
	}
	goto st36;
st53:
	if ( ++p == pe )
		goto _test_eof53;
case 53:
	switch( (*p) ) {
		case 62: goto st22;
		case 108: goto st37;
		case 109: goto st39;
		case 115: goto st54;
	}
	goto st36;
st54:
	if ( ++p == pe )
		goto _test_eof54;
case 54:
	switch( (*p) ) {
		case 62: goto st22;
		case 108: goto st37;
		case 109: goto st39;
		case 116: goto st44;
	}
	goto st36;
st55:
	if ( ++p == pe )
		goto _test_eof55;
case 55:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 116: goto st56;
	}
	goto st14;
st56:
	if ( ++p == pe )
		goto _test_eof56;
case 56:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 110: goto st57;
	}
	goto st14;
st57:
	if ( ++p == pe )
		goto _test_eof57;
case 57:
	switch( (*p) ) {
		case 97: goto st58;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st58:
	if ( ++p == pe )
		goto _test_eof58;
case 58:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 110: goto st59;
	}
	goto st14;
st59:
	if ( ++p == pe )
		goto _test_eof59;
case 59:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 110: goto st60;
	}
	goto st14;
st60:
	if ( ++p == pe )
		goto _test_eof60;
case 60:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 117: goto st61;
	}
	goto st14;
st61:
	if ( ++p == pe )
		goto _test_eof61;
case 61:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 115: goto st62;
	}
	goto st14;
st62:
	if ( ++p == pe )
		goto _test_eof62;
case 62:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 116: goto st63;
	}
	goto st14;
st63:
	if ( ++p == pe )
		goto _test_eof63;
case 63:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 116: goto st64;
	}
	goto st14;
st64:
	if ( ++p == pe )
		goto _test_eof64;
case 64:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 117: goto st65;
	}
	goto st14;
st65:
	if ( ++p == pe )
		goto _test_eof65;
case 65:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 115: goto st66;
	}
	goto st14;
st66:
	if ( ++p == pe )
		goto _test_eof66;
case 66:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 116: goto st36;
	}
	goto st14;
st67:
	if ( ++p == pe )
		goto _test_eof67;
case 67:
	switch( (*p) ) {
		case 61: goto st68;
		case 97: goto st67;
		case 98: goto st95;
		case 100: goto st110;
		case 101: goto st112;
		case 102: goto st99;
		case 105: goto st103;
		case 107: goto st110;
		case 108: goto st15;
		case 109: goto st105;
		case 110: goto st114;
		case 111: goto st101;
		case 114: goto st116;
		case 118: goto st101;
		case 122: goto st99;
	}
	if ( 115 <= (*p) && (*p) <= 116 )
		goto st99;
	goto st14;
st68:
	if ( ++p == pe )
		goto _test_eof68;
case 68:
	switch( (*p) ) {
		case 59: goto st970;
		case 98: goto st69;
		case 107: goto st74;
		case 108: goto st15;
		case 109: goto st84;
		case 122: goto st87;
	}
	goto st14;
st69:
	if ( ++p == pe )
		goto _test_eof69;
case 69:
	switch( (*p) ) {
		case 101: goto st70;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st70:
	if ( ++p == pe )
		goto _test_eof70;
case 70:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 118: goto st71;
	}
	goto st14;
st71:
	if ( ++p == pe )
		goto _test_eof71;
case 71:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 111: goto st72;
	}
	goto st14;
st72:
	if ( ++p == pe )
		goto _test_eof72;
case 72:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 110: goto st73;
	}
	goto st14;
st73:
	if ( ++p == pe )
		goto _test_eof73;
case 73:
	switch( (*p) ) {
		case 97: goto st21;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st74:
	if ( ++p == pe )
		goto _test_eof74;
case 74:
	switch( (*p) ) {
		case 101: goto st75;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st75:
	if ( ++p == pe )
		goto _test_eof75;
case 75:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 114: goto st76;
	}
	goto st14;
st76:
	if ( ++p == pe )
		goto _test_eof76;
case 76:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 110: goto st77;
	}
	goto st14;
st77:
	if ( ++p == pe )
		goto _test_eof77;
case 77:
	switch( (*p) ) {
		case 97: goto st78;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st78:
	if ( ++p == pe )
		goto _test_eof78;
case 78:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 114: goto st79;
	}
	goto st14;
st79:
	if ( ++p == pe )
		goto _test_eof79;
case 79:
	switch( (*p) ) {
		case 107: goto st80;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st80:
	if ( ++p == pe )
		goto _test_eof80;
case 80:
	switch( (*p) ) {
		case 101: goto st81;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st81:
	if ( ++p == pe )
		goto _test_eof81;
case 81:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 110: goto st82;
	}
	goto st14;
st82:
	if ( ++p == pe )
		goto _test_eof82;
case 82:
	switch( (*p) ) {
		case 100: goto st83;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st83:
	if ( ++p == pe )
		goto _test_eof83;
case 83:
	switch( (*p) ) {
		case 101: goto st23;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st84:
	if ( ++p == pe )
		goto _test_eof84;
case 84:
	switch( (*p) ) {
		case 97: goto st85;
		case 105: goto st23;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st85:
	if ( ++p == pe )
		goto _test_eof85;
case 85:
	switch( (*p) ) {
		case 98: goto st86;
		case 108: goto st15;
		case 109: goto st17;
		case 110: goto st19;
	}
	goto st14;
st86:
	if ( ++p == pe )
		goto _test_eof86;
case 86:
	switch( (*p) ) {
		case 105: goto st22;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st87:
	if ( ++p == pe )
		goto _test_eof87;
case 87:
	switch( (*p) ) {
		case 101: goto st88;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st88:
	if ( ++p == pe )
		goto _test_eof88;
case 88:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 115: goto st89;
	}
	goto st14;
st89:
	if ( ++p == pe )
		goto _test_eof89;
case 89:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 116: goto st90;
	}
	goto st14;
st90:
	if ( ++p == pe )
		goto _test_eof90;
case 90:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 122: goto st91;
	}
	goto st14;
st91:
	if ( ++p == pe )
		goto _test_eof91;
case 91:
	switch( (*p) ) {
		case 105: goto st92;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st92:
	if ( ++p == pe )
		goto _test_eof92;
case 92:
	switch( (*p) ) {
		case 102: goto st93;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st93:
	if ( ++p == pe )
		goto _test_eof93;
case 93:
	switch( (*p) ) {
		case 97: goto st94;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st94:
	if ( ++p == pe )
		goto _test_eof94;
case 94:
	switch( (*p) ) {
		case 98: goto st83;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st95:
	if ( ++p == pe )
		goto _test_eof95;
case 95:
	switch( (*p) ) {
		case 61: goto st96;
		case 101: goto st97;
		case 102: goto st99;
		case 105: goto st103;
		case 108: goto st15;
		case 109: goto st105;
		case 118: goto st101;
		case 122: goto st99;
	}
	if ( (*p) < 110 ) {
		if ( 97 <= (*p) && (*p) <= 98 )
			goto st95;
	} else if ( (*p) > 111 ) {
		if ( 114 <= (*p) && (*p) <= 116 )
			goto st99;
	} else
		goto st101;
	goto st14;
st96:
	if ( ++p == pe )
		goto _test_eof96;
case 96:
	switch( (*p) ) {
		case 59: goto st970;
		case 98: goto st69;
		case 108: goto st15;
		case 109: goto st84;
		case 122: goto st87;
	}
	goto st14;
st97:
	if ( ++p == pe )
		goto _test_eof97;
case 97:
	switch( (*p) ) {
		case 61: goto st98;
		case 101: goto st97;
		case 102: goto st99;
		case 105: goto st99;
		case 108: goto st15;
		case 109: goto st17;
		case 118: goto st101;
		case 122: goto st99;
	}
	if ( (*p) < 110 ) {
		if ( 97 <= (*p) && (*p) <= 98 )
			goto st97;
	} else if ( (*p) > 111 ) {
		if ( 114 <= (*p) && (*p) <= 116 )
			goto st99;
	} else
		goto st101;
	goto st14;
st98:
	if ( ++p == pe )
		goto _test_eof98;
case 98:
	switch( (*p) ) {
		case 59: goto st970;
		case 98: goto st69;
		case 108: goto st15;
		case 109: goto st17;
		case 122: goto st87;
	}
	goto st14;
st99:
	if ( ++p == pe )
		goto _test_eof99;
case 99:
	switch( (*p) ) {
		case 61: goto st100;
		case 105: goto st99;
		case 108: goto st15;
		case 109: goto st17;
		case 122: goto st99;
	}
	if ( (*p) < 101 ) {
		if ( 97 <= (*p) && (*p) <= 98 )
			goto st99;
	} else if ( (*p) > 102 ) {
		if ( 114 <= (*p) && (*p) <= 116 )
			goto st99;
	} else
		goto st99;
	goto st14;
st100:
	if ( ++p == pe )
		goto _test_eof100;
case 100:
	switch( (*p) ) {
		case 59: goto st970;
		case 108: goto st15;
		case 109: goto st17;
		case 122: goto st87;
	}
	goto st14;
st101:
	if ( ++p == pe )
		goto _test_eof101;
case 101:
	switch( (*p) ) {
		case 61: goto st102;
		case 101: goto st101;
		case 108: goto st15;
		case 109: goto st17;
		case 118: goto st101;
	}
	if ( (*p) > 98 ) {
		if ( 110 <= (*p) && (*p) <= 111 )
			goto st101;
	} else if ( (*p) >= 97 )
		goto st101;
	goto st14;
st102:
	if ( ++p == pe )
		goto _test_eof102;
case 102:
	switch( (*p) ) {
		case 59: goto st970;
		case 98: goto st69;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st103:
	if ( ++p == pe )
		goto _test_eof103;
case 103:
	switch( (*p) ) {
		case 61: goto st104;
		case 105: goto st103;
		case 108: goto st15;
		case 109: goto st105;
		case 122: goto st99;
	}
	if ( (*p) < 101 ) {
		if ( 97 <= (*p) && (*p) <= 98 )
			goto st103;
	} else if ( (*p) > 102 ) {
		if ( 114 <= (*p) && (*p) <= 116 )
			goto st99;
	} else
		goto st99;
	goto st14;
st104:
	if ( ++p == pe )
		goto _test_eof104;
case 104:
	switch( (*p) ) {
		case 59: goto st970;
		case 108: goto st15;
		case 109: goto st84;
		case 122: goto st87;
	}
	goto st14;
st105:
	if ( ++p == pe )
		goto _test_eof105;
case 105:
	switch( (*p) ) {
		case 61: goto st106;
		case 97: goto st107;
		case 98: goto st108;
		case 105: goto st109;
		case 108: goto st15;
		case 109: goto st105;
	}
	goto st14;
st106:
	if ( ++p == pe )
		goto _test_eof106;
case 106:
	switch( (*p) ) {
		case 59: goto st970;
		case 108: goto st15;
		case 109: goto st84;
	}
	goto st14;
st107:
	if ( ++p == pe )
		goto _test_eof107;
case 107:
	switch( (*p) ) {
		case 61: goto st106;
		case 105: goto st108;
		case 108: goto st15;
		case 109: goto st105;
		case 110: goto st19;
	}
	if ( 97 <= (*p) && (*p) <= 98 )
		goto st108;
	goto st14;
st108:
	if ( ++p == pe )
		goto _test_eof108;
case 108:
	switch( (*p) ) {
		case 61: goto st106;
		case 105: goto st108;
		case 108: goto st15;
		case 109: goto st105;
	}
	if ( 97 <= (*p) && (*p) <= 98 )
		goto st108;
	goto st14;
st109:
	if ( ++p == pe )
		goto _test_eof109;
case 109:
	switch( (*p) ) {
		case 61: goto st106;
		case 105: goto st108;
		case 108: goto st15;
		case 109: goto st105;
		case 114: goto st22;
	}
	if ( 97 <= (*p) && (*p) <= 98 )
		goto st108;
	goto st14;
st110:
	if ( ++p == pe )
		goto _test_eof110;
case 110:
	switch( (*p) ) {
		case 61: goto st111;
		case 97: goto st110;
		case 108: goto st15;
		case 109: goto st17;
		case 114: goto st110;
	}
	if ( (*p) > 101 ) {
		if ( 107 <= (*p) && (*p) <= 110 )
			goto st110;
	} else if ( (*p) >= 100 )
		goto st110;
	goto st14;
st111:
	if ( ++p == pe )
		goto _test_eof111;
case 111:
	switch( (*p) ) {
		case 59: goto st970;
		case 107: goto st74;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st112:
	if ( ++p == pe )
		goto _test_eof112;
case 112:
	switch( (*p) ) {
		case 61: goto st113;
		case 97: goto st112;
		case 98: goto st97;
		case 100: goto st110;
		case 101: goto st112;
		case 102: goto st99;
		case 105: goto st99;
		case 107: goto st110;
		case 108: goto st15;
		case 109: goto st17;
		case 110: goto st114;
		case 111: goto st101;
		case 114: goto st116;
		case 118: goto st101;
		case 122: goto st99;
	}
	if ( 115 <= (*p) && (*p) <= 116 )
		goto st99;
	goto st14;
st113:
	if ( ++p == pe )
		goto _test_eof113;
case 113:
	switch( (*p) ) {
		case 59: goto st970;
		case 98: goto st69;
		case 107: goto st74;
		case 108: goto st15;
		case 109: goto st17;
		case 122: goto st87;
	}
	goto st14;
st114:
	if ( ++p == pe )
		goto _test_eof114;
case 114:
	switch( (*p) ) {
		case 61: goto st115;
		case 97: goto st114;
		case 98: goto st101;
		case 100: goto st110;
		case 101: goto st114;
		case 107: goto st110;
		case 108: goto st15;
		case 109: goto st17;
		case 110: goto st114;
		case 111: goto st101;
		case 114: goto st110;
		case 118: goto st101;
	}
	goto st14;
st115:
	if ( ++p == pe )
		goto _test_eof115;
case 115:
	switch( (*p) ) {
		case 59: goto st970;
		case 98: goto st69;
		case 107: goto st74;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st116:
	if ( ++p == pe )
		goto _test_eof116;
case 116:
	switch( (*p) ) {
		case 61: goto st117;
		case 97: goto st116;
		case 98: goto st99;
		case 100: goto st110;
		case 101: goto st116;
		case 102: goto st99;
		case 105: goto st99;
		case 108: goto st15;
		case 109: goto st17;
		case 114: goto st116;
		case 122: goto st99;
	}
	if ( (*p) > 110 ) {
		if ( 115 <= (*p) && (*p) <= 116 )
			goto st99;
	} else if ( (*p) >= 107 )
		goto st110;
	goto st14;
st117:
	if ( ++p == pe )
		goto _test_eof117;
case 117:
	switch( (*p) ) {
		case 59: goto st970;
		case 107: goto st74;
		case 108: goto st15;
		case 109: goto st17;
		case 122: goto st87;
	}
	goto st14;
st118:
	if ( ++p == pe )
		goto _test_eof118;
case 118:
	switch( (*p) ) {
		case 61: goto st119;
		case 97: goto st112;
		case 98: goto st97;
		case 100: goto st110;
		case 101: goto st118;
		case 102: goto st99;
		case 105: goto st99;
		case 107: goto st110;
		case 108: goto st15;
		case 109: goto st17;
		case 110: goto st114;
		case 111: goto st101;
		case 114: goto st120;
		case 115: goto st122;
		case 116: goto st99;
		case 118: goto st101;
		case 122: goto st99;
	}
	goto st14;
st119:
	if ( ++p == pe )
		goto _test_eof119;
case 119:
	switch( (*p) ) {
		case 59: goto st970;
		case 98: goto st69;
		case 107: goto st74;
		case 108: goto st15;
		case 109: goto st17;
		case 115: goto st83;
		case 122: goto st87;
	}
	goto st14;
st120:
	if ( ++p == pe )
		goto _test_eof120;
case 120:
	switch( (*p) ) {
		case 61: goto st121;
		case 97: goto st116;
		case 98: goto st99;
		case 100: goto st110;
		case 101: goto st120;
		case 102: goto st99;
		case 105: goto st99;
		case 108: goto st15;
		case 109: goto st17;
		case 114: goto st120;
		case 115: goto st122;
		case 116: goto st99;
		case 122: goto st99;
	}
	if ( 107 <= (*p) && (*p) <= 110 )
		goto st110;
	goto st14;
st121:
	if ( ++p == pe )
		goto _test_eof121;
case 121:
	switch( (*p) ) {
		case 59: goto st970;
		case 107: goto st74;
		case 108: goto st15;
		case 109: goto st17;
		case 115: goto st83;
		case 122: goto st87;
	}
	goto st14;
st122:
	if ( ++p == pe )
		goto _test_eof122;
case 122:
	switch( (*p) ) {
		case 61: goto st123;
		case 101: goto st122;
		case 102: goto st99;
		case 105: goto st99;
		case 108: goto st15;
		case 109: goto st17;
		case 116: goto st99;
		case 122: goto st99;
	}
	if ( (*p) > 98 ) {
		if ( 114 <= (*p) && (*p) <= 115 )
			goto st122;
	} else if ( (*p) >= 97 )
		goto st99;
	goto st14;
st123:
	if ( ++p == pe )
		goto _test_eof123;
case 123:
	switch( (*p) ) {
		case 59: goto st970;
		case 108: goto st15;
		case 109: goto st17;
		case 115: goto st83;
		case 122: goto st87;
	}
	goto st14;
st124:
	if ( ++p == pe )
		goto _test_eof124;
case 124:
	switch( (*p) ) {
		case 61: goto st125;
		case 103: goto st124;
		case 108: goto st15;
		case 109: goto st17;
		case 117: goto st124;
	}
	if ( 110 <= (*p) && (*p) <= 112 )
		goto st124;
	goto st14;
st125:
	if ( ++p == pe )
		goto _test_eof125;
case 125:
	switch( (*p) ) {
		case 59: goto st970;
		case 108: goto st15;
		case 109: goto st17;
		case 112: goto st126;
	}
	goto st14;
st126:
	if ( ++p == pe )
		goto _test_eof126;
case 126:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 117: goto st127;
	}
	goto st14;
st127:
	if ( ++p == pe )
		goto _test_eof127;
case 127:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 110: goto st128;
	}
	goto st14;
st128:
	if ( ++p == pe )
		goto _test_eof128;
case 128:
	switch( (*p) ) {
		case 103: goto st129;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st129:
	if ( ++p == pe )
		goto _test_eof129;
case 129:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 111: goto st21;
	}
	goto st14;
st130:
	if ( ++p == pe )
		goto _test_eof130;
case 130:
	switch( (*p) ) {
		case 61: goto st106;
		case 97: goto st107;
		case 98: goto st108;
		case 105: goto st109;
		case 108: goto st15;
		case 109: goto st105;
		case 111: goto st131;
	}
	goto st14;
st131:
	if ( ++p == pe )
		goto _test_eof131;
case 131:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 115: goto st132;
	}
	goto st14;
st132:
	if ( ++p == pe )
		goto _test_eof132;
case 132:
	switch( (*p) ) {
		case 101: goto st133;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st133:
	if ( ++p == pe )
		goto _test_eof133;
case 133:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 118: goto st134;
	}
	goto st14;
st134:
	if ( ++p == pe )
		goto _test_eof134;
case 134:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 117: goto st135;
	}
	goto st14;
st135:
	if ( ++p == pe )
		goto _test_eof135;
case 135:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 115: goto st136;
	}
	goto st14;
st136:
	if ( ++p == pe )
		goto _test_eof136;
case 136:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 116: goto st137;
	}
	goto st14;
st137:
	if ( ++p == pe )
		goto _test_eof137;
case 137:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 112: goto st138;
	}
	goto st14;
st138:
	if ( ++p == pe )
		goto _test_eof138;
case 138:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 117: goto st139;
	}
	goto st14;
st139:
	if ( ++p == pe )
		goto _test_eof139;
case 139:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 110: goto st140;
	}
	goto st14;
st140:
	if ( ++p == pe )
		goto _test_eof140;
case 140:
	switch( (*p) ) {
		case 45: goto st141;
		case 59: goto st970;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st141:
	if ( ++p == pe )
		goto _test_eof141;
case 141:
	if ( (*p) > 90 ) {
		if ( 97 <= (*p) && (*p) <= 122 )
			goto st142;
	} else if ( (*p) >= 65 )
		goto st142;
	goto st14;
st142:
	if ( ++p == pe )
		goto _test_eof142;
case 142:
	switch( (*p) ) {
		case 45: goto st141;
		case 59: goto st970;
	}
	if ( (*p) > 90 ) {
		if ( 97 <= (*p) && (*p) <= 122 )
			goto st142;
	} else if ( (*p) >= 65 )
		goto st142;
	goto st14;
st143:
	if ( ++p == pe )
		goto _test_eof143;
case 143:
	switch( (*p) ) {
		case 61: goto st144;
		case 97: goto st145;
		case 98: goto st101;
		case 100: goto st110;
		case 101: goto st152;
		case 103: goto st124;
		case 107: goto st110;
		case 108: goto st15;
		case 109: goto st17;
		case 110: goto st166;
		case 111: goto st167;
		case 112: goto st124;
		case 114: goto st110;
		case 117: goto st124;
		case 118: goto st101;
	}
	goto st14;
st144:
	if ( ++p == pe )
		goto _test_eof144;
case 144:
	switch( (*p) ) {
		case 59: goto st970;
		case 98: goto st69;
		case 107: goto st74;
		case 108: goto st15;
		case 109: goto st17;
		case 112: goto st126;
	}
	goto st14;
st145:
	if ( ++p == pe )
		goto _test_eof145;
case 145:
	switch( (*p) ) {
		case 61: goto st115;
		case 97: goto st114;
		case 98: goto st101;
		case 100: goto st110;
		case 101: goto st114;
		case 107: goto st110;
		case 108: goto st15;
		case 109: goto st17;
		case 110: goto st114;
		case 111: goto st101;
		case 114: goto st146;
		case 118: goto st101;
	}
	goto st14;
st146:
	if ( ++p == pe )
		goto _test_eof146;
case 146:
	switch( (*p) ) {
		case 61: goto st111;
		case 97: goto st110;
		case 100: goto st147;
		case 101: goto st110;
		case 108: goto st15;
		case 109: goto st17;
		case 114: goto st110;
	}
	if ( 107 <= (*p) && (*p) <= 110 )
		goto st110;
	goto st14;
st147:
	if ( ++p == pe )
		goto _test_eof147;
case 147:
	switch( (*p) ) {
		case 61: goto st111;
		case 97: goto st110;
		case 100: goto st110;
		case 101: goto st148;
		case 108: goto st15;
		case 109: goto st17;
		case 114: goto st110;
	}
	if ( 107 <= (*p) && (*p) <= 110 )
		goto st110;
	goto st14;
st148:
	if ( ++p == pe )
		goto _test_eof148;
case 148:
	switch( (*p) ) {
		case 61: goto st111;
		case 97: goto st110;
		case 107: goto st149;
		case 108: goto st15;
		case 109: goto st17;
		case 110: goto st110;
		case 114: goto st110;
	}
	if ( 100 <= (*p) && (*p) <= 101 )
		goto st110;
	goto st14;
st149:
	if ( ++p == pe )
		goto _test_eof149;
case 149:
	switch( (*p) ) {
		case 61: goto st111;
		case 97: goto st110;
		case 100: goto st110;
		case 101: goto st150;
		case 108: goto st15;
		case 109: goto st17;
		case 114: goto st110;
	}
	if ( 107 <= (*p) && (*p) <= 110 )
		goto st110;
	goto st14;
st150:
	if ( ++p == pe )
		goto _test_eof150;
case 150:
	switch( (*p) ) {
		case 61: goto st111;
		case 97: goto st110;
		case 107: goto st110;
		case 108: goto st15;
		case 109: goto st17;
		case 110: goto st151;
		case 114: goto st110;
	}
	if ( 100 <= (*p) && (*p) <= 101 )
		goto st110;
	goto st14;
st151:
	if ( ++p == pe )
		goto _test_eof151;
case 151:
	switch( (*p) ) {
		case 45: goto st141;
		case 59: goto st970;
		case 61: goto st111;
		case 97: goto st110;
		case 108: goto st15;
		case 109: goto st17;
		case 114: goto st110;
	}
	if ( (*p) > 101 ) {
		if ( 107 <= (*p) && (*p) <= 110 )
			goto st110;
	} else if ( (*p) >= 100 )
		goto st110;
	goto st14;
st152:
	if ( ++p == pe )
		goto _test_eof152;
case 152:
	switch( (*p) ) {
		case 61: goto st115;
		case 97: goto st114;
		case 98: goto st153;
		case 100: goto st110;
		case 101: goto st114;
		case 107: goto st110;
		case 108: goto st15;
		case 109: goto st17;
		case 110: goto st114;
		case 111: goto st101;
		case 114: goto st110;
		case 115: goto st155;
		case 118: goto st101;
	}
	goto st14;
st153:
	if ( ++p == pe )
		goto _test_eof153;
case 153:
	switch( (*p) ) {
		case 61: goto st102;
		case 101: goto st101;
		case 108: goto st15;
		case 109: goto st17;
		case 110: goto st101;
		case 111: goto st154;
		case 118: goto st101;
	}
	if ( 97 <= (*p) && (*p) <= 98 )
		goto st101;
	goto st14;
st154:
	if ( ++p == pe )
		goto _test_eof154;
case 154:
	switch( (*p) ) {
		case 45: goto st141;
		case 59: goto st970;
		case 61: goto st102;
		case 101: goto st101;
		case 108: goto st15;
		case 109: goto st17;
		case 118: goto st101;
	}
	if ( (*p) > 98 ) {
		if ( 110 <= (*p) && (*p) <= 111 )
			goto st101;
	} else if ( (*p) >= 97 )
		goto st101;
	goto st14;
st155:
	if ( ++p == pe )
		goto _test_eof155;
case 155:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 116: goto st156;
	}
	goto st14;
st156:
	if ( ++p == pe )
		goto _test_eof156;
case 156:
	switch( (*p) ) {
		case 102: goto st157;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st157:
	if ( ++p == pe )
		goto _test_eof157;
case 157:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 111: goto st158;
	}
	goto st14;
st158:
	if ( ++p == pe )
		goto _test_eof158;
case 158:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 112: goto st159;
	}
	goto st14;
st159:
	if ( ++p == pe )
		goto _test_eof159;
case 159:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 111: goto st160;
	}
	goto st14;
st160:
	if ( ++p == pe )
		goto _test_eof160;
case 160:
	switch( (*p) ) {
		case 98: goto st161;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st161:
	if ( ++p == pe )
		goto _test_eof161;
case 161:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 111: goto st162;
	}
	goto st14;
st162:
	if ( ++p == pe )
		goto _test_eof162;
case 162:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
	}
	if ( 48 <= (*p) && (*p) <= 57 )
		goto st163;
	goto st14;
st163:
	if ( ++p == pe )
		goto _test_eof163;
case 163:
	switch( (*p) ) {
		case 46: goto st164;
		case 59: goto st970;
		case 108: goto st15;
		case 109: goto st17;
	}
	if ( 48 <= (*p) && (*p) <= 57 )
		goto st163;
	goto st14;
st164:
	if ( ++p == pe )
		goto _test_eof164;
case 164:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
	}
	if ( 48 <= (*p) && (*p) <= 57 )
		goto st165;
	goto st14;
st165:
	if ( ++p == pe )
		goto _test_eof165;
case 165:
	switch( (*p) ) {
		case 59: goto st970;
		case 108: goto st15;
		case 109: goto st17;
	}
	if ( 48 <= (*p) && (*p) <= 57 )
		goto st165;
	goto st14;
st166:
	if ( ++p == pe )
		goto _test_eof166;
case 166:
	switch( (*p) ) {
		case 61: goto st144;
		case 97: goto st114;
		case 98: goto st101;
		case 100: goto st110;
		case 101: goto st114;
		case 103: goto st124;
		case 107: goto st110;
		case 108: goto st15;
		case 109: goto st17;
		case 110: goto st166;
		case 111: goto st167;
		case 112: goto st124;
		case 114: goto st110;
		case 117: goto st124;
		case 118: goto st101;
	}
	goto st14;
st167:
	if ( ++p == pe )
		goto _test_eof167;
case 167:
	switch( (*p) ) {
		case 61: goto st168;
		case 101: goto st101;
		case 103: goto st124;
		case 108: goto st15;
		case 109: goto st17;
		case 112: goto st124;
		case 117: goto st124;
		case 118: goto st101;
	}
	if ( (*p) > 98 ) {
		if ( 110 <= (*p) && (*p) <= 111 )
			goto st167;
	} else if ( (*p) >= 97 )
		goto st101;
	goto st14;
st168:
	if ( ++p == pe )
		goto _test_eof168;
case 168:
	switch( (*p) ) {
		case 59: goto st970;
		case 98: goto st69;
		case 108: goto st15;
		case 109: goto st17;
		case 112: goto st126;
	}
	goto st14;
st169:
	if ( ++p == pe )
		goto _test_eof169;
case 169:
	switch( (*p) ) {
		case 61: goto st121;
		case 97: goto st116;
		case 98: goto st99;
		case 100: goto st110;
		case 101: goto st120;
		case 102: goto st99;
		case 105: goto st99;
		case 108: goto st15;
		case 109: goto st17;
		case 111: goto st170;
		case 114: goto st120;
		case 115: goto st122;
		case 116: goto st99;
		case 117: goto st178;
		case 122: goto st99;
	}
	if ( 107 <= (*p) && (*p) <= 110 )
		goto st110;
	goto st14;
st170:
	if ( ++p == pe )
		goto _test_eof170;
case 170:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 116: goto st171;
	}
	goto st14;
st171:
	if ( ++p == pe )
		goto _test_eof171;
case 171:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 111: goto st172;
	}
	goto st14;
st172:
	if ( ++p == pe )
		goto _test_eof172;
case 172:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 115: goto st173;
	}
	goto st14;
st173:
	if ( ++p == pe )
		goto _test_eof173;
case 173:
	switch( (*p) ) {
		case 105: goto st174;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st174:
	if ( ++p == pe )
		goto _test_eof174;
case 174:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 115: goto st175;
	}
	goto st14;
st175:
	if ( ++p == pe )
		goto _test_eof175;
case 175:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 116: goto st176;
	}
	goto st14;
st176:
	if ( ++p == pe )
		goto _test_eof176;
case 176:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 122: goto st177;
	}
	goto st14;
st177:
	if ( ++p == pe )
		goto _test_eof177;
case 177:
	switch( (*p) ) {
		case 105: goto st140;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st178:
	if ( ++p == pe )
		goto _test_eof178;
case 178:
	switch( (*p) ) {
		case 107: goto st179;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st179:
	if ( ++p == pe )
		goto _test_eof179;
case 179:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 111: goto st180;
	}
	goto st14;
st180:
	if ( ++p == pe )
		goto _test_eof180;
case 180:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
	}
	if ( 97 <= (*p) && (*p) <= 98 )
		goto st181;
	goto st14;
st181:
	if ( ++p == pe )
		goto _test_eof181;
case 181:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 114: goto st182;
	}
	goto st14;
st182:
	if ( ++p == pe )
		goto _test_eof182;
case 182:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 117: goto st183;
	}
	goto st14;
st183:
	if ( ++p == pe )
		goto _test_eof183;
case 183:
	switch( (*p) ) {
		case 107: goto st184;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st184:
	if ( ++p == pe )
		goto _test_eof184;
case 184:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 111: goto st185;
	}
	goto st14;
st185:
	if ( ++p == pe )
		goto _test_eof185;
case 185:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
	}
	if ( 97 <= (*p) && (*p) <= 98 )
		goto st186;
	goto st14;
st186:
	if ( ++p == pe )
		goto _test_eof186;
case 186:
	switch( (*p) ) {
		case 59: goto st970;
		case 108: goto st15;
		case 109: goto st17;
		case 114: goto st187;
	}
	goto st14;
st187:
	if ( ++p == pe )
		goto _test_eof187;
case 187:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 117: goto st188;
	}
	goto st14;
st188:
	if ( ++p == pe )
		goto _test_eof188;
case 188:
	switch( (*p) ) {
		case 107: goto st189;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st189:
	if ( ++p == pe )
		goto _test_eof189;
case 189:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 111: goto st190;
	}
	goto st14;
st190:
	if ( ++p == pe )
		goto _test_eof190;
case 190:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
	}
	if ( 97 <= (*p) && (*p) <= 98 )
		goto st191;
	goto st14;
st191:
	if ( ++p == pe )
		goto _test_eof191;
case 191:
	switch( (*p) ) {
		case 59: goto st970;
		case 108: goto st15;
		case 109: goto st17;
		case 114: goto st192;
	}
	goto st14;
st192:
	if ( ++p == pe )
		goto _test_eof192;
case 192:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 117: goto st193;
	}
	goto st14;
st193:
	if ( ++p == pe )
		goto _test_eof193;
case 193:
	switch( (*p) ) {
		case 107: goto st194;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st194:
	if ( ++p == pe )
		goto _test_eof194;
case 194:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 111: goto st195;
	}
	goto st14;
st195:
	if ( ++p == pe )
		goto _test_eof195;
case 195:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
	}
	if ( 97 <= (*p) && (*p) <= 98 )
		goto st196;
	goto st14;
st196:
	if ( ++p == pe )
		goto _test_eof196;
case 196:
	switch( (*p) ) {
		case 59: goto st970;
		case 108: goto st15;
		case 109: goto st17;
		case 114: goto st197;
	}
	goto st14;
st197:
	if ( ++p == pe )
		goto _test_eof197;
case 197:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 117: goto st198;
	}
	goto st14;
st198:
	if ( ++p == pe )
		goto _test_eof198;
case 198:
	switch( (*p) ) {
		case 107: goto st199;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st199:
	if ( ++p == pe )
		goto _test_eof199;
case 199:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 111: goto st200;
	}
	goto st14;
st200:
	if ( ++p == pe )
		goto _test_eof200;
case 200:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
	}
	if ( 97 <= (*p) && (*p) <= 98 )
		goto st22;
	goto st14;
st201:
	if ( ++p == pe )
		goto _test_eof201;
case 201:
	switch( (*p) ) {
		case 61: goto st123;
		case 97: goto st202;
		case 98: goto st99;
		case 101: goto st122;
		case 102: goto st99;
		case 105: goto st99;
		case 108: goto st15;
		case 109: goto st17;
		case 116: goto st99;
		case 122: goto st99;
	}
	if ( 114 <= (*p) && (*p) <= 115 )
		goto st122;
	goto st14;
st202:
	if ( ++p == pe )
		goto _test_eof202;
case 202:
	switch( (*p) ) {
		case 61: goto st100;
		case 105: goto st99;
		case 108: goto st15;
		case 109: goto st17;
		case 110: goto st203;
		case 122: goto st99;
	}
	if ( (*p) < 101 ) {
		if ( 97 <= (*p) && (*p) <= 98 )
			goto st99;
	} else if ( (*p) > 102 ) {
		if ( 114 <= (*p) && (*p) <= 116 )
			goto st99;
	} else
		goto st99;
	goto st14;
st203:
	if ( ++p == pe )
		goto _test_eof203;
case 203:
	switch( (*p) ) {
		case 100: goto st204;
		case 108: goto st15;
		case 109: goto st17;
	}
	goto st14;
st204:
	if ( ++p == pe )
		goto _test_eof204;
case 204:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 111: goto st205;
	}
	goto st14;
st205:
	if ( ++p == pe )
		goto _test_eof205;
case 205:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 114: goto st206;
	}
	goto st14;
st206:
	if ( ++p == pe )
		goto _test_eof206;
case 206:
	switch( (*p) ) {
		case 108: goto st15;
		case 109: goto st17;
		case 115: goto st177;
	}
	goto st14;
st207:
	if ( ++p == pe )
		goto _test_eof207;
case 207:
	switch( (*p) ) {
		case 61: goto st100;
		case 105: goto st208;
		case 108: goto st15;
		case 109: goto st17;
		case 122: goto st99;
	}
	if ( (*p) < 101 ) {
		if ( 97 <= (*p) && (*p) <= 98 )
			goto st99;
	} else if ( (*p) > 102 ) {
		if ( 114 <= (*p) && (*p) <= 116 )
			goto st99;
	} else
		goto st99;
	goto st14;
st208:
	if ( ++p == pe )
		goto _test_eof208;
case 208:
	switch( (*p) ) {
		case 61: goto st100;
		case 105: goto st99;
		case 108: goto st15;
		case 109: goto st17;
		case 115: goto st209;
		case 122: goto st99;
	}
	if ( (*p) < 101 ) {
		if ( 97 <= (*p) && (*p) <= 98 )
			goto st99;
	} else if ( (*p) > 102 ) {
		if ( 114 <= (*p) && (*p) <= 116 )
			goto st99;
	} else
		goto st99;
	goto st14;
st209:
	if ( ++p == pe )
		goto _test_eof209;
case 209:
	switch( (*p) ) {
		case 61: goto st100;
		case 105: goto st99;
		case 108: goto st15;
		case 109: goto st17;
		case 116: goto st210;
		case 122: goto st99;
	}
	if ( (*p) < 101 ) {
		if ( 97 <= (*p) && (*p) <= 98 )
			goto st99;
	} else if ( (*p) > 102 ) {
		if ( 114 <= (*p) && (*p) <= 115 )
			goto st99;
	} else
		goto st99;
	goto st14;
st210:
	if ( ++p == pe )
		goto _test_eof210;
case 210:
	switch( (*p) ) {
		case 61: goto st100;
		case 105: goto st99;
		case 108: goto st15;
		case 109: goto st17;
		case 122: goto st99;
	}
	if ( (*p) < 97 ) {
		if ( 48 <= (*p) && (*p) <= 57 )
			goto st163;
	} else if ( (*p) > 98 ) {
		if ( (*p) > 102 ) {
			if ( 114 <= (*p) && (*p) <= 116 )
				goto st99;
		} else if ( (*p) >= 101 )
			goto st99;
	} else
		goto st99;
	goto st14;
st211:
	if ( ++p == pe )
		goto _test_eof211;
case 211:
	if ( (*p) == 117 )
		goto st212;
	goto st0;
st212:
	if ( ++p == pe )
		goto _test_eof212;
case 212:
	if ( (*p) == 115 )
		goto st213;
	goto st0;
st213:
	if ( ++p == pe )
		goto _test_eof213;
case 213:
	if ( (*p) == 116 )
		goto st214;
	goto st0;
st214:
	if ( ++p == pe )
		goto _test_eof214;
case 214:
	if ( (*p) == 109 )
		goto st215;
	goto st0;
st215:
	if ( ++p == pe )
		goto _test_eof215;
case 215:
	if ( (*p) == 97 )
		goto st216;
	goto st0;
st216:
	if ( ++p == pe )
		goto _test_eof216;
case 216:
	if ( (*p) == 115 )
		goto st217;
	goto st0;
st217:
	if ( ++p == pe )
		goto _test_eof217;
case 217:
	if ( (*p) == 116 )
		goto st218;
	goto st0;
st218:
	if ( ++p == pe )
		goto _test_eof218;
case 218:
	if ( (*p) == 102 )
		goto st219;
	goto st0;
st219:
	if ( ++p == pe )
		goto _test_eof219;
case 219:
	if ( (*p) == 101 )
		goto st220;
	goto st0;
st220:
	if ( ++p == pe )
		goto _test_eof220;
case 220:
	if ( (*p) == 114 )
		goto st221;
	goto st0;
st221:
	if ( ++p == pe )
		goto _test_eof221;
case 221:
	if ( (*p) == 101 )
		goto st222;
	goto st0;
st222:
	if ( ++p == pe )
		goto _test_eof222;
case 222:
	if ( (*p) == 114 )
		goto st223;
	goto st0;
st223:
	if ( ++p == pe )
		goto _test_eof223;
case 223:
	if ( (*p) == 115 )
		goto st224;
	goto st0;
st224:
	if ( ++p == pe )
		goto _test_eof224;
case 224:
	if ( (*p) == 101 )
		goto st225;
	goto st0;
st225:
	if ( ++p == pe )
		goto _test_eof225;
case 225:
	if ( (*p) == 110 )
		goto tr241;
	goto st0;
st226:
	if ( ++p == pe )
		goto _test_eof226;
case 226:
	if ( (*p) == 118 )
		goto st227;
	goto st0;
st227:
	if ( ++p == pe )
		goto _test_eof227;
case 227:
	if ( (*p) == 105 )
		goto st228;
	goto st0;
st228:
	if ( ++p == pe )
		goto _test_eof228;
case 228:
	if ( (*p) == 115 )
		goto st229;
	goto st0;
st229:
	if ( ++p == pe )
		goto _test_eof229;
case 229:
	if ( (*p) == 97 )
		goto st230;
	goto st0;
st230:
	if ( ++p == pe )
		goto _test_eof230;
case 230:
	if ( (*p) == 115 )
		goto st231;
	goto st0;
st231:
	if ( ++p == pe )
		goto _test_eof231;
case 231:
	if ( (*p) == 116 )
		goto st232;
	goto st0;
st232:
	if ( ++p == pe )
		goto _test_eof232;
case 232:
	if ( (*p) == 109 )
		goto st233;
	goto st0;
st233:
	if ( ++p == pe )
		goto _test_eof233;
case 233:
	if ( (*p) == 101 )
		goto st234;
	goto st0;
st234:
	if ( ++p == pe )
		goto _test_eof234;
case 234:
	if ( (*p) == 115 )
		goto st235;
	goto st0;
st235:
	if ( ++p == pe )
		goto _test_eof235;
case 235:
	if ( (*p) == 116 )
		goto st236;
	goto st0;
st236:
	if ( ++p == pe )
		goto _test_eof236;
case 236:
	if ( (*p) == 112 )
		goto st237;
	goto st0;
st237:
	if ( ++p == pe )
		goto _test_eof237;
case 237:
	if ( (*p) == 111 )
		goto st238;
	goto st0;
st238:
	if ( ++p == pe )
		goto _test_eof238;
case 238:
	if ( (*p) == 114 )
		goto st239;
	goto st0;
st239:
	if ( ++p == pe )
		goto _test_eof239;
case 239:
	if ( (*p) == 98 )
		goto st240;
	goto st0;
st240:
	if ( ++p == pe )
		goto _test_eof240;
case 240:
	if ( (*p) == 101 )
		goto st241;
	goto st0;
st241:
	if ( ++p == pe )
		goto _test_eof241;
case 241:
	if ( (*p) == 115 )
		goto st242;
	goto st0;
st242:
	if ( ++p == pe )
		goto _test_eof242;
case 242:
	if ( (*p) == 116 )
		goto tr258;
	goto st0;
st243:
	if ( ++p == pe )
		goto _test_eof243;
case 243:
	if ( (*p) == 117 )
		goto st244;
	goto st0;
st244:
	if ( ++p == pe )
		goto _test_eof244;
case 244:
	if ( (*p) == 112 )
		goto st245;
	goto st0;
st245:
	if ( ++p == pe )
		goto _test_eof245;
case 245:
	if ( (*p) == 97 )
		goto st246;
	goto st0;
st246:
	if ( ++p == pe )
		goto _test_eof246;
case 246:
	if ( (*p) == 98 )
		goto st247;
	goto st0;
st247:
	if ( ++p == pe )
		goto _test_eof247;
case 247:
	if ( (*p) == 111 )
		goto st248;
	goto st0;
st248:
	if ( ++p == pe )
		goto _test_eof248;
case 248:
	if ( (*p) == 110 )
		goto st249;
	goto st0;
st249:
	if ( ++p == pe )
		goto _test_eof249;
case 249:
	if ( (*p) == 109 )
		goto st250;
	goto st0;
st250:
	if ( ++p == pe )
		goto _test_eof250;
case 250:
	if ( (*p) == 97 )
		goto st251;
	goto st0;
st251:
	if ( ++p == pe )
		goto _test_eof251;
case 251:
	if ( (*p) == 114 )
		goto st252;
	goto st0;
st252:
	if ( ++p == pe )
		goto _test_eof252;
case 252:
	if ( (*p) == 101 )
		goto st253;
	goto st0;
st253:
	if ( ++p == pe )
		goto _test_eof253;
case 253:
	if ( (*p) == 110 )
		goto st254;
	goto st0;
st254:
	if ( ++p == pe )
		goto _test_eof254;
case 254:
	if ( (*p) == 98 )
		goto st255;
	goto st0;
st255:
	if ( ++p == pe )
		goto _test_eof255;
case 255:
	if ( (*p) == 97 )
		goto tr271;
	goto st0;
st256:
	if ( ++p == pe )
		goto _test_eof256;
case 256:
	switch( (*p) ) {
		case 97: goto st257;
		case 101: goto st270;
		case 105: goto st277;
		case 111: goto st294;
	}
	goto st0;
st257:
	if ( ++p == pe )
		goto _test_eof257;
case 257:
	if ( (*p) == 110 )
		goto st258;
	goto st0;
st258:
	if ( ++p == pe )
		goto _test_eof258;
case 258:
	if ( (*p) == 122 )
		goto st259;
	goto st0;
st259:
	if ( ++p == pe )
		goto _test_eof259;
case 259:
	if ( (*p) == 105 )
		goto st260;
	goto st0;
st260:
	if ( ++p == pe )
		goto _test_eof260;
case 260:
	if ( (*p) == 102 )
		goto st261;
	goto st0;
st261:
	if ( ++p == pe )
		goto _test_eof261;
case 261:
	if ( (*p) == 101 )
		goto st262;
	goto st0;
st262:
	if ( ++p == pe )
		goto _test_eof262;
case 262:
	if ( (*p) == 114 )
		goto st263;
	goto st0;
st263:
	if ( ++p == pe )
		goto _test_eof263;
case 263:
	if ( (*p) == 116 )
		goto st264;
	goto st0;
st264:
	if ( ++p == pe )
		goto _test_eof264;
case 264:
	if ( (*p) == 105 )
		goto st265;
	goto st0;
st265:
	if ( ++p == pe )
		goto _test_eof265;
case 265:
	if ( (*p) == 115 )
		goto st266;
	goto st0;
st266:
	if ( ++p == pe )
		goto _test_eof266;
case 266:
	if ( (*p) == 117 )
		goto st267;
	goto st0;
st267:
	if ( ++p == pe )
		goto _test_eof267;
case 267:
	if ( (*p) == 122 )
		goto st268;
	goto st0;
st268:
	if ( ++p == pe )
		goto _test_eof268;
case 268:
	if ( (*p) == 117 )
		goto st269;
	goto st0;
st269:
	if ( ++p == pe )
		goto _test_eof269;
case 269:
	if ( (*p) == 110 )
		goto tr288;
	goto st0;
st270:
	if ( ++p == pe )
		goto _test_eof270;
case 270:
	if ( (*p) == 107 )
		goto st271;
	goto st0;
st271:
	if ( ++p == pe )
		goto _test_eof271;
case 271:
	if ( (*p) == 117 )
		goto st272;
	goto st0;
st272:
	if ( ++p == pe )
		goto _test_eof272;
case 272:
	if ( (*p) == 122 )
		goto st273;
	goto st0;
st273:
	if ( ++p == pe )
		goto _test_eof273;
case 273:
	if ( (*p) == 101 )
		goto st274;
	goto st0;
st274:
	if ( ++p == pe )
		goto _test_eof274;
case 274:
	if ( (*p) == 110 )
		goto st275;
	goto st0;
st275:
	if ( ++p == pe )
		goto _test_eof275;
case 275:
	if ( (*p) == 107 )
		goto st276;
	goto st0;
st276:
	if ( ++p == pe )
		goto _test_eof276;
case 276:
	if ( (*p) == 101 )
		goto tr295;
	goto st0;
st277:
	if ( ++p == pe )
		goto _test_eof277;
case 277:
	if ( (*p) == 122 )
		goto st278;
	goto st0;
st278:
	if ( ++p == pe )
		goto _test_eof278;
case 278:
	if ( (*p) == 117 )
		goto st279;
	goto st0;
st279:
	if ( ++p == pe )
		goto _test_eof279;
case 279:
	if ( (*p) == 116 )
		goto st280;
	goto st0;
st280:
	if ( ++p == pe )
		goto _test_eof280;
case 280:
	if ( (*p) == 105 )
		goto st281;
	goto st0;
st281:
	if ( ++p == pe )
		goto _test_eof281;
case 281:
	if ( (*p) == 114 )
		goto st282;
	goto st0;
st282:
	if ( ++p == pe )
		goto _test_eof282;
case 282:
	if ( (*p) == 100 )
		goto st283;
	goto st0;
st283:
	if ( ++p == pe )
		goto _test_eof283;
case 283:
	if ( (*p) == 111 )
		goto st284;
	goto st0;
st284:
	if ( ++p == pe )
		goto _test_eof284;
case 284:
	if ( (*p) == 116 )
		goto st285;
	goto st0;
st285:
	if ( ++p == pe )
		goto _test_eof285;
case 285:
	if ( (*p) == 105 )
		goto st286;
	goto st0;
st286:
	if ( ++p == pe )
		goto _test_eof286;
case 286:
	if ( (*p) == 98 )
		goto st287;
	goto st0;
st287:
	if ( ++p == pe )
		goto _test_eof287;
case 287:
	if ( (*p) == 105 )
		goto st288;
	goto st0;
st288:
	if ( ++p == pe )
		goto _test_eof288;
case 288:
	if ( (*p) == 102 )
		goto st289;
	goto st0;
st289:
	if ( ++p == pe )
		goto _test_eof289;
case 289:
	if ( (*p) == 97 )
		goto st290;
	goto st0;
st290:
	if ( ++p == pe )
		goto _test_eof290;
case 290:
	if ( (*p) == 110 )
		goto st291;
	goto st0;
st291:
	if ( ++p == pe )
		goto _test_eof291;
case 291:
	if ( (*p) == 98 )
		goto st292;
	goto st0;
st292:
	if ( ++p == pe )
		goto _test_eof292;
case 292:
	if ( (*p) == 101 )
		goto st293;
	goto st0;
st293:
	if ( ++p == pe )
		goto _test_eof293;
case 293:
	if ( (*p) == 110 )
		goto tr312;
	goto st0;
st294:
	if ( ++p == pe )
		goto _test_eof294;
case 294:
	if ( (*p) == 115 )
		goto st295;
	goto st0;
st295:
	if ( ++p == pe )
		goto _test_eof295;
case 295:
	if ( (*p) == 116 )
		goto st296;
	goto st0;
st296:
	if ( ++p == pe )
		goto _test_eof296;
case 296:
	if ( (*p) == 122 )
		goto st297;
	goto st0;
st297:
	if ( ++p == pe )
		goto _test_eof297;
case 297:
	if ( (*p) == 105 )
		goto st298;
	goto st0;
st298:
	if ( ++p == pe )
		goto _test_eof298;
case 298:
	if ( (*p) == 115 )
		goto st299;
	goto st0;
st299:
	if ( ++p == pe )
		goto _test_eof299;
case 299:
	if ( (*p) == 116 )
		goto st300;
	goto st0;
st300:
	if ( ++p == pe )
		goto _test_eof300;
case 300:
	if ( (*p) == 100 )
		goto st301;
	goto st0;
st301:
	if ( ++p == pe )
		goto _test_eof301;
case 301:
	if ( (*p) == 117 )
		goto st302;
	goto st0;
st302:
	if ( ++p == pe )
		goto _test_eof302;
case 302:
	if ( (*p) == 115 )
		goto st303;
	goto st0;
st303:
	if ( ++p == pe )
		goto _test_eof303;
case 303:
	if ( (*p) == 116 )
		goto tr322;
	goto st0;
st304:
	if ( ++p == pe )
		goto _test_eof304;
case 304:
	switch( (*p) ) {
		case 97: goto st305;
		case 105: goto st312;
		case 117: goto st351;
	}
	goto st0;
st305:
	if ( ++p == pe )
		goto _test_eof305;
case 305:
	if ( (*p) == 115 )
		goto st306;
	goto st0;
st306:
	if ( ++p == pe )
		goto _test_eof306;
case 306:
	if ( (*p) == 116 )
		goto st307;
	goto st0;
st307:
	if ( ++p == pe )
		goto _test_eof307;
case 307:
	if ( (*p) == 115 )
		goto st308;
	goto st0;
st308:
	if ( ++p == pe )
		goto _test_eof308;
case 308:
	if ( (*p) == 105 )
		goto st309;
	goto st0;
st309:
	if ( ++p == pe )
		goto _test_eof309;
case 309:
	if ( (*p) == 118 )
		goto st310;
	goto st0;
st310:
	if ( ++p == pe )
		goto _test_eof310;
case 310:
	if ( (*p) == 97 )
		goto st311;
	goto st0;
st311:
	if ( ++p == pe )
		goto _test_eof311;
case 311:
	if ( (*p) == 110 )
		goto tr332;
	goto st0;
st312:
	if ( ++p == pe )
		goto _test_eof312;
case 312:
	switch( (*p) ) {
		case 114: goto st313;
		case 115: goto st330;
	}
	goto st0;
st313:
	if ( ++p == pe )
		goto _test_eof313;
case 313:
	if ( (*p) == 102 )
		goto st314;
	goto st0;
st314:
	if ( ++p == pe )
		goto _test_eof314;
case 314:
	if ( (*p) == 111 )
		goto st315;
	goto st0;
st315:
	if ( ++p == pe )
		goto _test_eof315;
case 315:
	if ( (*p) == 100 )
		goto st316;
	goto st0;
st316:
	if ( ++p == pe )
		goto _test_eof316;
case 316:
	if ( (*p) == 97 )
		goto st317;
	goto st0;
st317:
	if ( ++p == pe )
		goto _test_eof317;
case 317:
	if ( (*p) == 116 )
		goto st318;
	goto st0;
st318:
	if ( ++p == pe )
		goto _test_eof318;
case 318:
	if ( (*p) == 105 )
		goto st319;
	goto st0;
st319:
	if ( ++p == pe )
		goto _test_eof319;
case 319:
	if ( (*p) == 122 )
		goto st320;
	goto st0;
st320:
	if ( ++p == pe )
		goto _test_eof320;
case 320:
	if ( (*p) == 117 )
		goto st321;
	goto st0;
st321:
	if ( ++p == pe )
		goto _test_eof321;
case 321:
	if ( (*p) == 115 )
		goto st322;
	goto st0;
st322:
	if ( ++p == pe )
		goto _test_eof322;
case 322:
	if ( (*p) == 116 )
		goto st323;
	goto st0;
st323:
	if ( ++p == pe )
		goto _test_eof323;
case 323:
	if ( (*p) == 103 )
		goto st324;
	goto st0;
st324:
	if ( ++p == pe )
		goto _test_eof324;
case 324:
	if ( (*p) == 105 )
		goto st325;
	goto st0;
st325:
	if ( ++p == pe )
		goto _test_eof325;
case 325:
	if ( (*p) == 115 )
		goto st326;
	goto st0;
st326:
	if ( ++p == pe )
		goto _test_eof326;
case 326:
	if ( (*p) == 116 )
		goto st327;
	goto st0;
st327:
	if ( ++p == pe )
		goto _test_eof327;
case 327:
	if ( (*p) == 103 )
		goto st328;
	goto st0;
st328:
	if ( ++p == pe )
		goto _test_eof328;
case 328:
	if ( (*p) == 117 )
		goto st329;
	goto st0;
st329:
	if ( ++p == pe )
		goto _test_eof329;
case 329:
	if ( (*p) == 110 )
		goto tr351;
	goto st0;
st330:
	if ( ++p == pe )
		goto _test_eof330;
case 330:
	if ( (*p) == 116 )
		goto st331;
	goto st0;
st331:
	if ( ++p == pe )
		goto _test_eof331;
case 331:
	if ( (*p) == 116 )
		goto st332;
	goto st0;
st332:
	if ( ++p == pe )
		goto _test_eof332;
case 332:
	if ( (*p) == 117 )
		goto st333;
	goto st0;
st333:
	if ( ++p == pe )
		goto _test_eof333;
case 333:
	if ( (*p) == 115 )
		goto st334;
	goto st0;
st334:
	if ( ++p == pe )
		goto _test_eof334;
case 334:
	if ( (*p) == 116 )
		goto st335;
	goto st0;
st335:
	if ( ++p == pe )
		goto _test_eof335;
case 335:
	if ( (*p) == 114 )
		goto st336;
	goto st0;
st336:
	if ( ++p == pe )
		goto _test_eof336;
case 336:
	if ( (*p) == 111 )
		goto st337;
	goto st0;
st337:
	if ( ++p == pe )
		goto _test_eof337;
case 337:
	if ( (*p) == 110 )
		goto st338;
	goto st0;
st338:
	if ( ++p == pe )
		goto _test_eof338;
case 338:
	if ( (*p) == 102 )
		goto st339;
	goto st0;
st339:
	if ( ++p == pe )
		goto _test_eof339;
case 339:
	if ( (*p) == 117 )
		goto st340;
	goto st0;
st340:
	if ( ++p == pe )
		goto _test_eof340;
case 340:
	if ( (*p) == 114 )
		goto st341;
	goto st0;
st341:
	if ( ++p == pe )
		goto _test_eof341;
case 341:
	if ( (*p) == 114 )
		goto st342;
	goto st0;
st342:
	if ( ++p == pe )
		goto _test_eof342;
case 342:
	if ( (*p) == 97 )
		goto st343;
	goto st0;
st343:
	if ( ++p == pe )
		goto _test_eof343;
case 343:
	if ( (*p) == 103 )
		goto st344;
	goto st0;
st344:
	if ( ++p == pe )
		goto _test_eof344;
case 344:
	if ( (*p) == 97 )
		goto st345;
	goto st0;
st345:
	if ( ++p == pe )
		goto _test_eof345;
case 345:
	if ( (*p) == 115 )
		goto st346;
	goto st0;
st346:
	if ( ++p == pe )
		goto _test_eof346;
case 346:
	if ( (*p) == 116 )
		goto st347;
	goto st0;
st347:
	if ( ++p == pe )
		goto _test_eof347;
case 347:
	if ( (*p) == 112 )
		goto st348;
	goto st0;
st348:
	if ( ++p == pe )
		goto _test_eof348;
case 348:
	if ( (*p) == 105 )
		goto st349;
	goto st0;
st349:
	if ( ++p == pe )
		goto _test_eof349;
case 349:
	if ( (*p) == 115 )
		goto st350;
	goto st0;
st350:
	if ( ++p == pe )
		goto _test_eof350;
case 350:
	if ( (*p) == 116 )
		goto tr372;
	goto st0;
st351:
	if ( ++p == pe )
		goto _test_eof351;
case 351:
	if ( (*p) == 115 )
		goto st352;
	goto st0;
st352:
	if ( ++p == pe )
		goto _test_eof352;
case 352:
	if ( (*p) == 116 )
		goto st353;
	goto st0;
st353:
	if ( ++p == pe )
		goto _test_eof353;
case 353:
	if ( (*p) == 107 )
		goto st354;
	goto st0;
st354:
	if ( ++p == pe )
		goto _test_eof354;
case 354:
	if ( (*p) == 117 )
		goto st355;
	goto st0;
st355:
	if ( ++p == pe )
		goto _test_eof355;
case 355:
	if ( (*p) == 118 )
		goto st356;
	goto st0;
st356:
	if ( ++p == pe )
		goto _test_eof356;
case 356:
	if ( (*p) == 111 )
		goto st357;
	goto st0;
st357:
	if ( ++p == pe )
		goto _test_eof357;
case 357:
	if ( (*p) == 114 )
		goto st358;
	goto st0;
st358:
	if ( ++p == pe )
		goto _test_eof358;
case 358:
	if ( (*p) == 97 )
		goto st359;
	goto st0;
st359:
	if ( ++p == pe )
		goto _test_eof359;
case 359:
	if ( (*p) == 115 )
		goto st360;
	goto st0;
st360:
	if ( ++p == pe )
		goto _test_eof360;
case 360:
	if ( (*p) == 116 )
		goto st361;
	goto st0;
st361:
	if ( ++p == pe )
		goto _test_eof361;
case 361:
	if ( (*p) == 103 )
		goto st362;
	goto st0;
st362:
	if ( ++p == pe )
		goto _test_eof362;
case 362:
	if ( (*p) == 101 )
		goto st363;
	goto st0;
st363:
	if ( ++p == pe )
		goto _test_eof363;
case 363:
	if ( (*p) == 115 )
		goto st364;
	goto st0;
st364:
	if ( ++p == pe )
		goto _test_eof364;
case 364:
	if ( (*p) == 116 )
		goto st365;
	goto st0;
st365:
	if ( ++p == pe )
		goto _test_eof365;
case 365:
	if ( (*p) == 100 )
		goto st366;
	goto st0;
st366:
	if ( ++p == pe )
		goto _test_eof366;
case 366:
	if ( (*p) == 101 )
		goto st367;
	goto st0;
st367:
	if ( ++p == pe )
		goto _test_eof367;
case 367:
	if ( (*p) == 110 )
		goto tr389;
	goto st0;
st368:
	if ( ++p == pe )
		goto _test_eof368;
case 368:
	switch( (*p) ) {
		case 97: goto st369;
		case 101: goto st387;
		case 105: goto st393;
		case 111: goto st418;
		case 117: goto st432;
	}
	goto st0;
st369:
	if ( ++p == pe )
		goto _test_eof369;
case 369:
	if ( (*p) == 110 )
		goto st370;
	goto st0;
st370:
	if ( ++p == pe )
		goto _test_eof370;
case 370:
	if ( (*p) == 100 )
		goto st371;
	goto st0;
st371:
	if ( ++p == pe )
		goto _test_eof371;
case 371:
	if ( (*p) == 111 )
		goto st372;
	goto st0;
st372:
	if ( ++p == pe )
		goto _test_eof372;
case 372:
	if ( (*p) == 114 )
		goto st373;
	goto st0;
st373:
	if ( ++p == pe )
		goto _test_eof373;
case 373:
	if ( (*p) == 97 )
		goto st374;
	goto st0;
st374:
	if ( ++p == pe )
		goto _test_eof374;
case 374:
	if ( (*p) == 115 )
		goto st375;
	goto st0;
st375:
	if ( ++p == pe )
		goto _test_eof375;
case 375:
	if ( (*p) == 116 )
		goto st376;
	goto st0;
st376:
	if ( ++p == pe )
		goto _test_eof376;
case 376:
	if ( (*p) == 103 )
		goto st377;
	goto st0;
st377:
	if ( ++p == pe )
		goto _test_eof377;
case 377:
	if ( (*p) == 97 )
		goto st378;
	goto st0;
st378:
	if ( ++p == pe )
		goto _test_eof378;
case 378:
	if ( (*p) == 115 )
		goto st379;
	goto st0;
st379:
	if ( ++p == pe )
		goto _test_eof379;
case 379:
	if ( (*p) == 116 )
		goto st380;
	goto st0;
st380:
	if ( ++p == pe )
		goto _test_eof380;
case 380:
	if ( (*p) == 116 )
		goto st381;
	goto st0;
st381:
	if ( ++p == pe )
		goto _test_eof381;
case 381:
	if ( (*p) == 105 )
		goto st382;
	goto st0;
st382:
	if ( ++p == pe )
		goto _test_eof382;
case 382:
	if ( (*p) == 112 )
		goto st383;
	goto st0;
st383:
	if ( ++p == pe )
		goto _test_eof383;
case 383:
	if ( (*p) == 101 )
		goto st384;
	goto st0;
st384:
	if ( ++p == pe )
		goto _test_eof384;
case 384:
	if ( (*p) == 114 )
		goto st385;
	goto st0;
st385:
	if ( ++p == pe )
		goto _test_eof385;
case 385:
	if ( (*p) == 116 )
		goto st386;
	goto st0;
st386:
	if ( ++p == pe )
		goto _test_eof386;
case 386:
	if ( (*p) == 101 )
		goto tr412;
	goto st0;
st387:
	if ( ++p == pe )
		goto _test_eof387;
case 387:
	if ( (*p) == 110 )
		goto st388;
	goto st0;
st388:
	if ( ++p == pe )
		goto _test_eof388;
case 388:
	if ( (*p) == 102 )
		goto st389;
	goto st0;
st389:
	if ( ++p == pe )
		goto _test_eof389;
case 389:
	if ( (*p) == 101 )
		goto st390;
	goto st0;
st390:
	if ( ++p == pe )
		goto _test_eof390;
case 390:
	if ( (*p) == 102 )
		goto st391;
	goto st0;
st391:
	if ( ++p == pe )
		goto _test_eof391;
case 391:
	if ( (*p) == 105 )
		goto st392;
	goto st0;
st392:
	if ( ++p == pe )
		goto _test_eof392;
case 392:
	if ( (*p) == 110 )
		goto tr418;
	goto st0;
st393:
	if ( ++p == pe )
		goto _test_eof393;
case 393:
	switch( (*p) ) {
		case 98: goto st394;
		case 112: goto st408;
	}
	goto st0;
st394:
	if ( ++p == pe )
		goto _test_eof394;
case 394:
	if ( (*p) == 97 )
		goto st395;
	goto st0;
st395:
	if ( ++p == pe )
		goto _test_eof395;
case 395:
	if ( (*p) == 114 )
		goto st396;
	goto st0;
st396:
	if ( ++p == pe )
		goto _test_eof396;
case 396:
	if ( (*p) == 103 )
		goto st397;
	goto st0;
st397:
	if ( ++p == pe )
		goto _test_eof397;
case 397:
	if ( (*p) == 117 )
		goto st398;
	goto st0;
st398:
	if ( ++p == pe )
		goto _test_eof398;
case 398:
	if ( (*p) == 115 )
		goto st399;
	goto st0;
st399:
	if ( ++p == pe )
		goto _test_eof399;
case 399:
	if ( (*p) == 116 )
		goto st400;
	goto st0;
st400:
	if ( ++p == pe )
		goto _test_eof400;
case 400:
	if ( (*p) == 107 )
		goto st401;
	goto st0;
st401:
	if ( ++p == pe )
		goto _test_eof401;
case 401:
	if ( (*p) == 101 )
		goto st402;
	goto st0;
st402:
	if ( ++p == pe )
		goto _test_eof402;
case 402:
	if ( (*p) == 108 )
		goto st403;
	goto st0;
st403:
	if ( ++p == pe )
		goto _test_eof403;
case 403:
	if ( (*p) == 117 )
		goto st404;
	goto st0;
st404:
	if ( ++p == pe )
		goto _test_eof404;
case 404:
	if ( (*p) == 107 )
		goto st405;
	goto st0;
st405:
	if ( ++p == pe )
		goto _test_eof405;
case 405:
	if ( (*p) == 117 )
		goto st406;
	goto st0;
st406:
	if ( ++p == pe )
		goto _test_eof406;
case 406:
	if ( (*p) == 98 )
		goto st407;
	goto st0;
st407:
	if ( ++p == pe )
		goto _test_eof407;
case 407:
	if ( (*p) == 105 )
		goto tr434;
	goto st0;
st408:
	if ( ++p == pe )
		goto _test_eof408;
case 408:
	if ( (*p) == 117 )
		goto st409;
	goto st0;
st409:
	if ( ++p == pe )
		goto _test_eof409;
case 409:
	if ( (*p) == 110 )
		goto st410;
	goto st0;
st410:
	if ( ++p == pe )
		goto _test_eof410;
case 410:
	if ( (*p) == 101 )
		goto st411;
	goto st0;
st411:
	if ( ++p == pe )
		goto _test_eof411;
case 411:
	if ( (*p) == 115 )
		goto st412;
	goto st0;
st412:
	if ( ++p == pe )
		goto _test_eof412;
case 412:
	if ( (*p) == 116 )
		goto st413;
	goto st0;
st413:
	if ( ++p == pe )
		goto _test_eof413;
case 413:
	if ( (*p) == 102 )
		goto st414;
	goto st0;
st414:
	if ( ++p == pe )
		goto _test_eof414;
case 414:
	if ( (*p) == 111 )
		goto st415;
	goto st0;
st415:
	if ( ++p == pe )
		goto _test_eof415;
case 415:
	if ( (*p) == 115 )
		goto st416;
	goto st0;
st416:
	if ( ++p == pe )
		goto _test_eof416;
case 416:
	if ( (*p) == 105 )
		goto st417;
	goto st0;
st417:
	if ( ++p == pe )
		goto _test_eof417;
case 417:
	if ( (*p) == 114 )
		goto tr444;
	goto st0;
st418:
	if ( ++p == pe )
		goto _test_eof418;
case 418:
	if ( (*p) == 114 )
		goto st419;
	goto st0;
st419:
	if ( ++p == pe )
		goto _test_eof419;
case 419:
	if ( (*p) == 114 )
		goto st420;
	goto st0;
st420:
	if ( ++p == pe )
		goto _test_eof420;
case 420:
	if ( (*p) == 111 )
		goto st421;
	goto st0;
st421:
	if ( ++p == pe )
		goto _test_eof421;
case 421:
	if ( (*p) == 116 )
		goto st422;
	goto st0;
st422:
	if ( ++p == pe )
		goto _test_eof422;
case 422:
	if ( (*p) == 97 )
		goto st423;
	goto st0;
st423:
	if ( ++p == pe )
		goto _test_eof423;
case 423:
	if ( (*p) == 110 )
		goto st424;
	goto st0;
st424:
	if ( ++p == pe )
		goto _test_eof424;
case 424:
	if ( (*p) == 103 )
		goto st425;
	goto st0;
st425:
	if ( ++p == pe )
		goto _test_eof425;
case 425:
	if ( (*p) == 111 )
		goto st426;
	goto st0;
st426:
	if ( ++p == pe )
		goto _test_eof426;
case 426:
	if ( (*p) == 110 )
		goto st427;
	goto st0;
st427:
	if ( ++p == pe )
		goto _test_eof427;
case 427:
	if ( (*p) == 102 )
		goto st428;
	goto st0;
st428:
	if ( ++p == pe )
		goto _test_eof428;
case 428:
	if ( (*p) == 117 )
		goto st429;
	goto st0;
st429:
	if ( ++p == pe )
		goto _test_eof429;
case 429:
	if ( (*p) == 114 )
		goto st430;
	goto st0;
st430:
	if ( ++p == pe )
		goto _test_eof430;
case 430:
	if ( (*p) == 100 )
		goto st431;
	goto st0;
st431:
	if ( ++p == pe )
		goto _test_eof431;
case 431:
	if ( (*p) == 97 )
		goto tr458;
	goto st0;
st432:
	if ( ++p == pe )
		goto _test_eof432;
case 432:
	switch( (*p) ) {
		case 110: goto st433;
		case 115: goto st446;
	}
	goto st0;
st433:
	if ( ++p == pe )
		goto _test_eof433;
case 433:
	if ( (*p) == 107 )
		goto st434;
	goto st0;
st434:
	if ( ++p == pe )
		goto _test_eof434;
case 434:
	if ( (*p) == 111 )
		goto st435;
	goto st0;
st435:
	if ( ++p == pe )
		goto _test_eof435;
case 435:
	if ( (*p) == 115 )
		goto st436;
	goto st0;
st436:
	if ( ++p == pe )
		goto _test_eof436;
case 436:
	if ( (*p) == 101 )
		goto st437;
	goto st0;
st437:
	if ( ++p == pe )
		goto _test_eof437;
case 437:
	if ( (*p) == 110 )
		goto st438;
	goto st0;
st438:
	if ( ++p == pe )
		goto _test_eof438;
case 438:
	if ( (*p) == 100 )
		goto st439;
	goto st0;
st439:
	if ( ++p == pe )
		goto _test_eof439;
case 439:
	if ( (*p) == 101 )
		goto st440;
	goto st0;
st440:
	if ( ++p == pe )
		goto _test_eof440;
case 440:
	if ( (*p) == 110 )
		goto st441;
	goto st0;
st441:
	if ( ++p == pe )
		goto _test_eof441;
case 441:
	if ( (*p) == 109 )
		goto st442;
	goto st0;
st442:
	if ( ++p == pe )
		goto _test_eof442;
case 442:
	if ( (*p) == 97 )
		goto st443;
	goto st0;
st443:
	if ( ++p == pe )
		goto _test_eof443;
case 443:
	if ( (*p) == 102 )
		goto st444;
	goto st0;
st444:
	if ( ++p == pe )
		goto _test_eof444;
case 444:
	if ( (*p) == 105 )
		goto st445;
	goto st0;
st445:
	if ( ++p == pe )
		goto _test_eof445;
case 445:
	if ( (*p) == 114 )
		goto tr473;
	goto st0;
st446:
	if ( ++p == pe )
		goto _test_eof446;
case 446:
	if ( (*p) == 116 )
		goto st447;
	goto st0;
st447:
	if ( ++p == pe )
		goto _test_eof447;
case 447:
	if ( (*p) == 102 )
		goto st448;
	goto st0;
st448:
	if ( ++p == pe )
		goto _test_eof448;
case 448:
	if ( (*p) == 101 )
		goto st449;
	goto st0;
st449:
	if ( ++p == pe )
		goto _test_eof449;
case 449:
	if ( (*p) == 110 )
		goto st450;
	goto st0;
st450:
	if ( ++p == pe )
		goto _test_eof450;
case 450:
	if ( (*p) == 122 )
		goto st451;
	goto st0;
st451:
	if ( ++p == pe )
		goto _test_eof451;
case 451:
	if ( (*p) == 117 )
		goto st452;
	goto st0;
st452:
	if ( ++p == pe )
		goto _test_eof452;
case 452:
	if ( (*p) == 115 )
		goto st453;
	goto st0;
st453:
	if ( ++p == pe )
		goto _test_eof453;
case 453:
	if ( (*p) == 116 )
		goto st454;
	goto st0;
st454:
	if ( ++p == pe )
		goto _test_eof454;
case 454:
	if ( (*p) == 112 )
		goto st455;
	goto st0;
st455:
	if ( ++p == pe )
		goto _test_eof455;
case 455:
	if ( (*p) == 111 )
		goto st456;
	goto st0;
st456:
	if ( ++p == pe )
		goto _test_eof456;
case 456:
	if ( (*p) == 110 )
		goto st457;
	goto st0;
st457:
	if ( ++p == pe )
		goto _test_eof457;
case 457:
	if ( (*p) == 108 )
		goto st458;
	goto st0;
st458:
	if ( ++p == pe )
		goto _test_eof458;
case 458:
	if ( (*p) == 97 )
		goto st459;
	goto st0;
st459:
	if ( ++p == pe )
		goto _test_eof459;
case 459:
	if ( (*p) == 103 )
		goto st460;
	goto st0;
st460:
	if ( ++p == pe )
		goto _test_eof460;
case 460:
	if ( (*p) == 111 )
		goto st461;
	goto st0;
st461:
	if ( ++p == pe )
		goto _test_eof461;
case 461:
	if ( (*p) == 115 )
		goto st462;
	goto st0;
st462:
	if ( ++p == pe )
		goto _test_eof462;
case 462:
	if ( (*p) == 116 )
		goto st463;
	goto st0;
st463:
	if ( ++p == pe )
		goto _test_eof463;
case 463:
	if ( (*p) == 112 )
		goto st464;
	goto st0;
st464:
	if ( ++p == pe )
		goto _test_eof464;
case 464:
	if ( (*p) == 111 )
		goto tr492;
	goto st0;
st465:
	if ( ++p == pe )
		goto _test_eof465;
case 465:
	switch( (*p) ) {
		case 97: goto st466;
		case 101: goto st510;
		case 105: goto st543;
	}
	goto st0;
st466:
	if ( ++p == pe )
		goto _test_eof466;
case 466:
	switch( (*p) ) {
		case 102: goto st467;
		case 114: goto st486;
		case 115: goto st497;
	}
	goto st0;
st467:
	if ( ++p == pe )
		goto _test_eof467;
case 467:
	if ( (*p) == 105 )
		goto st468;
	goto st0;
st468:
	if ( ++p == pe )
		goto _test_eof468;
case 468:
	if ( (*p) == 115 )
		goto st469;
	goto st0;
st469:
	if ( ++p == pe )
		goto _test_eof469;
case 469:
	if ( (*p) == 116 )
		goto st470;
	goto st0;
st470:
	if ( ++p == pe )
		goto _test_eof470;
case 470:
	if ( (*p) == 100 )
		goto st471;
	goto st0;
st471:
	if ( ++p == pe )
		goto _test_eof471;
case 471:
	if ( (*p) == 105 )
		goto st472;
	goto st0;
st472:
	if ( ++p == pe )
		goto _test_eof472;
case 472:
	if ( (*p) == 114 )
		goto st473;
	goto st0;
st473:
	if ( ++p == pe )
		goto _test_eof473;
case 473:
	if ( (*p) == 112 )
		goto st474;
	goto st0;
st474:
	if ( ++p == pe )
		goto _test_eof474;
case 474:
	if ( (*p) == 111 )
		goto st475;
	goto st0;
st475:
	if ( ++p == pe )
		goto _test_eof475;
case 475:
	if ( (*p) == 114 )
		goto st476;
	goto st0;
st476:
	if ( ++p == pe )
		goto _test_eof476;
case 476:
	if ( (*p) == 107 )
		goto st477;
	goto st0;
st477:
	if ( ++p == pe )
		goto _test_eof477;
case 477:
	if ( (*p) == 111 )
		goto st478;
	goto st0;
st478:
	if ( ++p == pe )
		goto _test_eof478;
case 478:
	if ( (*p) == 110 )
		goto st479;
	goto st0;
st479:
	if ( ++p == pe )
		goto _test_eof479;
case 479:
	if ( (*p) == 100 )
		goto st480;
	goto st0;
st480:
	if ( ++p == pe )
		goto _test_eof480;
case 480:
	if ( (*p) == 97 )
		goto st481;
	goto st0;
st481:
	if ( ++p == pe )
		goto _test_eof481;
case 481:
	if ( (*p) == 108 )
		goto st482;
	goto st0;
st482:
	if ( ++p == pe )
		goto _test_eof482;
case 482:
	if ( (*p) == 97 )
		goto st483;
	goto st0;
st483:
	if ( ++p == pe )
		goto _test_eof483;
case 483:
	if ( (*p) == 102 )
		goto st484;
	goto st0;
st484:
	if ( ++p == pe )
		goto _test_eof484;
case 484:
	if ( (*p) == 97 )
		goto st485;
	goto st0;
st485:
	if ( ++p == pe )
		goto _test_eof485;
case 485:
	if ( (*p) == 110 )
		goto tr517;
	goto st0;
st486:
	if ( ++p == pe )
		goto _test_eof486;
case 486:
	if ( (*p) == 102 )
		goto st487;
	goto st0;
st487:
	if ( ++p == pe )
		goto _test_eof487;
case 487:
	if ( (*p) == 97 )
		goto st488;
	goto st0;
st488:
	if ( ++p == pe )
		goto _test_eof488;
case 488:
	if ( (*p) == 109 )
		goto st489;
	goto st0;
st489:
	if ( ++p == pe )
		goto _test_eof489;
case 489:
	if ( (*p) == 105 )
		goto st490;
	goto st0;
st490:
	if ( ++p == pe )
		goto _test_eof490;
case 490:
	if ( (*p) == 115 )
		goto st491;
	goto st0;
st491:
	if ( ++p == pe )
		goto _test_eof491;
case 491:
	if ( (*p) == 116 )
		goto st492;
	goto st0;
st492:
	if ( ++p == pe )
		goto _test_eof492;
case 492:
	if ( (*p) == 115 )
		goto st493;
	goto st0;
st493:
	if ( ++p == pe )
		goto _test_eof493;
case 493:
	if ( (*p) == 111 )
		goto st494;
	goto st0;
st494:
	if ( ++p == pe )
		goto _test_eof494;
case 494:
	if ( (*p) == 110 )
		goto st495;
	goto st0;
st495:
	if ( ++p == pe )
		goto _test_eof495;
case 495:
	if ( (*p) == 97 )
		goto st496;
	goto st0;
st496:
	if ( ++p == pe )
		goto _test_eof496;
case 496:
	if ( (*p) == 110 )
		goto tr528;
	goto st0;
st497:
	if ( ++p == pe )
		goto _test_eof497;
case 497:
	if ( (*p) == 116 )
		goto st498;
	goto st0;
st498:
	if ( ++p == pe )
		goto _test_eof498;
case 498:
	if ( (*p) == 116 )
		goto st499;
	goto st0;
st499:
	if ( ++p == pe )
		goto _test_eof499;
case 499:
	if ( (*p) == 101 )
		goto st500;
	goto st0;
st500:
	if ( ++p == pe )
		goto _test_eof500;
case 500:
	if ( (*p) == 114 )
		goto st501;
	goto st0;
st501:
	if ( ++p == pe )
		goto _test_eof501;
case 501:
	if ( (*p) == 111 )
		goto st502;
	goto st0;
st502:
	if ( ++p == pe )
		goto _test_eof502;
case 502:
	if ( (*p) == 115 )
		goto st503;
	goto st0;
st503:
	if ( ++p == pe )
		goto _test_eof503;
case 503:
	if ( (*p) == 116 )
		goto st504;
	goto st0;
st504:
	if ( ++p == pe )
		goto _test_eof504;
case 504:
	if ( (*p) == 102 )
		goto st505;
	goto st0;
st505:
	if ( ++p == pe )
		goto _test_eof505;
case 505:
	if ( (*p) == 97 )
		goto st506;
	goto st0;
st506:
	if ( ++p == pe )
		goto _test_eof506;
case 506:
	if ( (*p) == 110 )
		goto st507;
	goto st0;
st507:
	if ( ++p == pe )
		goto _test_eof507;
case 507:
	if ( (*p) == 112 )
		goto st508;
	goto st0;
st508:
	if ( ++p == pe )
		goto _test_eof508;
case 508:
	if ( (*p) == 105 )
		goto st509;
	goto st0;
st509:
	if ( ++p == pe )
		goto _test_eof509;
case 509:
	if ( (*p) == 110 )
		goto tr541;
	goto st0;
st510:
	if ( ++p == pe )
		goto _test_eof510;
case 510:
	switch( (*p) ) {
		case 115: goto st511;
		case 122: goto st532;
	}
	goto st0;
st511:
	if ( ++p == pe )
		goto _test_eof511;
case 511:
	if ( (*p) == 116 )
		goto st512;
	goto st0;
st512:
	if ( ++p == pe )
		goto _test_eof512;
case 512:
	if ( (*p) == 108 )
		goto st513;
	goto st0;
st513:
	if ( ++p == pe )
		goto _test_eof513;
case 513:
	if ( (*p) == 111 )
		goto st514;
	goto st0;
st514:
	if ( ++p == pe )
		goto _test_eof514;
case 514:
	if ( (*p) == 114 )
		goto st515;
	goto st0;
st515:
	if ( ++p == pe )
		goto _test_eof515;
case 515:
	if ( (*p) == 107 )
		goto st516;
	goto st0;
st516:
	if ( ++p == pe )
		goto _test_eof516;
case 516:
	if ( (*p) == 101 )
		goto st517;
	goto st0;
st517:
	if ( ++p == pe )
		goto _test_eof517;
case 517:
	if ( (*p) == 108 )
		goto st518;
	goto st0;
st518:
	if ( ++p == pe )
		goto _test_eof518;
case 518:
	if ( (*p) == 101 )
		goto st519;
	goto st0;
st519:
	if ( ++p == pe )
		goto _test_eof519;
case 519:
	if ( (*p) == 103 )
		goto st520;
	goto st0;
st520:
	if ( ++p == pe )
		goto _test_eof520;
case 520:
	if ( (*p) == 101 )
		goto st521;
	goto st0;
st521:
	if ( ++p == pe )
		goto _test_eof521;
case 521:
	if ( (*p) == 114 )
		goto st522;
	goto st0;
st522:
	if ( ++p == pe )
		goto _test_eof522;
case 522:
	if ( (*p) == 98 )
		goto st523;
	goto st0;
st523:
	if ( ++p == pe )
		goto _test_eof523;
case 523:
	if ( (*p) == 111 )
		goto st524;
	goto st0;
st524:
	if ( ++p == pe )
		goto _test_eof524;
case 524:
	if ( (*p) == 115 )
		goto st525;
	goto st0;
st525:
	if ( ++p == pe )
		goto _test_eof525;
case 525:
	if ( (*p) == 116 )
		goto st526;
	goto st0;
st526:
	if ( ++p == pe )
		goto _test_eof526;
case 526:
	if ( (*p) == 116 )
		goto st527;
	goto st0;
st527:
	if ( ++p == pe )
		goto _test_eof527;
case 527:
	if ( (*p) == 105 )
		goto st528;
	goto st0;
st528:
	if ( ++p == pe )
		goto _test_eof528;
case 528:
	if ( (*p) == 110 )
		goto st529;
	goto st0;
st529:
	if ( ++p == pe )
		goto _test_eof529;
case 529:
	if ( (*p) == 118 )
		goto st530;
	goto st0;
st530:
	if ( ++p == pe )
		goto _test_eof530;
case 530:
	if ( (*p) == 117 )
		goto st531;
	goto st0;
st531:
	if ( ++p == pe )
		goto _test_eof531;
case 531:
	if ( (*p) == 110 )
		goto tr564;
	goto st0;
st532:
	if ( ++p == pe )
		goto _test_eof532;
case 532:
	if ( (*p) == 101 )
		goto st533;
	goto st0;
st533:
	if ( ++p == pe )
		goto _test_eof533;
case 533:
	if ( (*p) == 114 )
		goto st534;
	goto st0;
st534:
	if ( ++p == pe )
		goto _test_eof534;
case 534:
	if ( (*p) == 107 )
		goto st535;
	goto st0;
st535:
	if ( ++p == pe )
		goto _test_eof535;
case 535:
	if ( (*p) == 105 )
		goto st536;
	goto st0;
st536:
	if ( ++p == pe )
		goto _test_eof536;
case 536:
	if ( (*p) == 112 )
		goto st537;
	goto st0;
st537:
	if ( ++p == pe )
		goto _test_eof537;
case 537:
	if ( (*p) == 97 )
		goto st538;
	goto st0;
st538:
	if ( ++p == pe )
		goto _test_eof538;
case 538:
	if ( (*p) == 110 )
		goto st539;
	goto st0;
st539:
	if ( ++p == pe )
		goto _test_eof539;
case 539:
	if ( (*p) == 109 )
		goto st540;
	goto st0;
st540:
	if ( ++p == pe )
		goto _test_eof540;
case 540:
	if ( (*p) == 105 )
		goto st541;
	goto st0;
st541:
	if ( ++p == pe )
		goto _test_eof541;
case 541:
	if ( (*p) == 103 )
		goto st542;
	goto st0;
st542:
	if ( ++p == pe )
		goto _test_eof542;
case 542:
	if ( (*p) == 97 )
		goto tr575;
	goto st0;
st543:
	if ( ++p == pe )
		goto _test_eof543;
case 543:
	if ( (*p) == 115 )
		goto st544;
	goto st0;
st544:
	if ( ++p == pe )
		goto _test_eof544;
case 544:
	if ( (*p) == 116 )
		goto st545;
	goto st0;
st545:
	if ( ++p == pe )
		goto _test_eof545;
case 545:
	if ( (*p) == 100 )
		goto st546;
	goto st0;
st546:
	if ( ++p == pe )
		goto _test_eof546;
case 546:
	if ( (*p) == 101 )
		goto st547;
	goto st0;
st547:
	if ( ++p == pe )
		goto _test_eof547;
case 547:
	if ( (*p) == 110 )
		goto st548;
	goto st0;
st548:
	if ( ++p == pe )
		goto _test_eof548;
case 548:
	if ( (*p) == 117 )
		goto st549;
	goto st0;
st549:
	if ( ++p == pe )
		goto _test_eof549;
case 549:
	if ( (*p) == 115 )
		goto st550;
	goto st0;
st550:
	if ( ++p == pe )
		goto _test_eof550;
case 550:
	if ( (*p) == 97 )
		goto st551;
	goto st0;
st551:
	if ( ++p == pe )
		goto _test_eof551;
case 551:
	if ( (*p) == 110 )
		goto st552;
	goto st0;
st552:
	if ( ++p == pe )
		goto _test_eof552;
case 552:
	if ( (*p) == 107 )
		goto st553;
	goto st0;
st553:
	if ( ++p == pe )
		goto _test_eof553;
case 553:
	if ( (*p) == 97 )
		goto st554;
	goto st0;
st554:
	if ( ++p == pe )
		goto _test_eof554;
case 554:
	if ( (*p) == 115 )
		goto st555;
	goto st0;
st555:
	if ( ++p == pe )
		goto _test_eof555;
case 555:
	if ( (*p) == 116 )
		goto st556;
	goto st0;
st556:
	if ( ++p == pe )
		goto _test_eof556;
case 556:
	if ( (*p) == 100 )
		goto st557;
	goto st0;
st557:
	if ( ++p == pe )
		goto _test_eof557;
case 557:
	if ( (*p) == 111 )
		goto st558;
	goto st0;
st558:
	if ( ++p == pe )
		goto _test_eof558;
case 558:
	if ( (*p) == 110 )
		goto st559;
	goto st0;
st559:
	if ( ++p == pe )
		goto _test_eof559;
case 559:
	if ( (*p) == 98 )
		goto st560;
	goto st0;
st560:
	if ( ++p == pe )
		goto _test_eof560;
case 560:
	if ( (*p) == 111 )
		goto st561;
	goto st0;
st561:
	if ( ++p == pe )
		goto _test_eof561;
case 561:
	if ( (*p) == 114 )
		goto st562;
	goto st0;
st562:
	if ( ++p == pe )
		goto _test_eof562;
case 562:
	if ( (*p) == 102 )
		goto st563;
	goto st0;
st563:
	if ( ++p == pe )
		goto _test_eof563;
case 563:
	if ( (*p) == 111 )
		goto tr596;
	goto st0;
st564:
	if ( ++p == pe )
		goto _test_eof564;
case 564:
	switch( (*p) ) {
		case 97: goto st565;
		case 101: goto st584;
		case 105: goto st601;
		case 111: goto st623;
		case 117: goto st634;
	}
	goto st0;
st565:
	if ( ++p == pe )
		goto _test_eof565;
case 565:
	switch( (*p) ) {
		case 102: goto st566;
		case 115: goto st568;
	}
	goto st0;
st566:
	if ( ++p == pe )
		goto _test_eof566;
case 566:
	if ( (*p) == 105 )
		goto st567;
	goto st0;
st567:
	if ( ++p == pe )
		goto _test_eof567;
case 567:
	if ( (*p) == 110 )
		goto tr605;
	goto st0;
st568:
	if ( ++p == pe )
		goto _test_eof568;
case 568:
	if ( (*p) == 105 )
		goto st569;
	goto st0;
st569:
	if ( ++p == pe )
		goto _test_eof569;
case 569:
	if ( (*p) == 110 )
		goto st570;
	goto st0;
st570:
	if ( ++p == pe )
		goto _test_eof570;
case 570:
	if ( (*p) == 102 )
		goto st571;
	goto st0;
st571:
	if ( ++p == pe )
		goto _test_eof571;
case 571:
	if ( (*p) == 111 )
		goto st572;
	goto st0;
st572:
	if ( ++p == pe )
		goto _test_eof572;
case 572:
	if ( (*p) == 108 )
		goto st573;
	goto st0;
st573:
	if ( ++p == pe )
		goto _test_eof573;
case 573:
	if ( (*p) == 117 )
		goto st574;
	goto st0;
st574:
	if ( ++p == pe )
		goto _test_eof574;
case 574:
	if ( (*p) == 109 )
		goto st575;
	goto st0;
st575:
	if ( ++p == pe )
		goto _test_eof575;
case 575:
	if ( (*p) == 111 )
		goto st576;
	goto st0;
st576:
	if ( ++p == pe )
		goto _test_eof576;
case 576:
	if ( (*p) == 103 )
		goto st577;
	goto st0;
st577:
	if ( ++p == pe )
		goto _test_eof577;
case 577:
	if ( (*p) == 105 )
		goto st578;
	goto st0;
st578:
	if ( ++p == pe )
		goto _test_eof578;
case 578:
	if ( (*p) == 110 )
		goto st579;
	goto st0;
st579:
	if ( ++p == pe )
		goto _test_eof579;
case 579:
	if ( (*p) == 98 )
		goto st580;
	goto st0;
st580:
	if ( ++p == pe )
		goto _test_eof580;
case 580:
	if ( (*p) == 117 )
		goto st581;
	goto st0;
st581:
	if ( ++p == pe )
		goto _test_eof581;
case 581:
	if ( (*p) == 114 )
		goto st582;
	goto st0;
st582:
	if ( ++p == pe )
		goto _test_eof582;
case 582:
	if ( (*p) == 100 )
		goto st583;
	goto st0;
st583:
	if ( ++p == pe )
		goto _test_eof583;
case 583:
	if ( (*p) == 111 )
		goto tr621;
	goto st0;
st584:
	if ( ++p == pe )
		goto _test_eof584;
case 584:
	switch( (*p) ) {
		case 103: goto st585;
		case 115: goto st593;
	}
	goto st0;
st585:
	if ( ++p == pe )
		goto _test_eof585;
case 585:
	if ( (*p) == 105 )
		goto st586;
	goto st0;
st586:
	if ( ++p == pe )
		goto _test_eof586;
case 586:
	if ( (*p) == 110 )
		goto st587;
	goto st0;
st587:
	if ( ++p == pe )
		goto _test_eof587;
case 587:
	if ( (*p) == 116 )
		goto st588;
	goto st0;
st588:
	if ( ++p == pe )
		goto _test_eof588;
case 588:
	if ( (*p) == 117 )
		goto st589;
	goto st0;
st589:
	if ( ++p == pe )
		goto _test_eof589;
case 589:
	if ( (*p) == 114 )
		goto st590;
	goto st0;
st590:
	if ( ++p == pe )
		goto _test_eof590;
case 590:
	if ( (*p) == 118 )
		goto st591;
	goto st0;
st591:
	if ( ++p == pe )
		goto _test_eof591;
case 591:
	if ( (*p) == 111 )
		goto st592;
	goto st0;
st592:
	if ( ++p == pe )
		goto _test_eof592;
case 592:
	if ( (*p) == 110 )
		goto tr631;
	goto st0;
st593:
	if ( ++p == pe )
		goto _test_eof593;
case 593:
	if ( (*p) == 116 )
		goto st594;
	goto st0;
st594:
	if ( ++p == pe )
		goto _test_eof594;
case 594:
	if ( (*p) == 116 )
		goto st595;
	goto st0;
st595:
	if ( ++p == pe )
		goto _test_eof595;
case 595:
	if ( (*p) == 111 )
		goto st596;
	goto st0;
st596:
	if ( ++p == pe )
		goto _test_eof596;
case 596:
	if ( (*p) == 115 )
		goto st597;
	goto st0;
st597:
	if ( ++p == pe )
		goto _test_eof597;
case 597:
	if ( (*p) == 116 )
		goto st598;
	goto st0;
st598:
	if ( ++p == pe )
		goto _test_eof598;
case 598:
	if ( (*p) == 115 )
		goto st599;
	goto st0;
st599:
	if ( ++p == pe )
		goto _test_eof599;
case 599:
	if ( (*p) == 111 )
		goto st600;
	goto st0;
st600:
	if ( ++p == pe )
		goto _test_eof600;
case 600:
	if ( (*p) == 110 )
		goto tr639;
	goto st0;
st601:
	if ( ++p == pe )
		goto _test_eof601;
case 601:
	switch( (*p) ) {
		case 110: goto st602;
		case 115: goto st610;
	}
	goto st0;
st602:
	if ( ++p == pe )
		goto _test_eof602;
case 602:
	if ( (*p) == 112 )
		goto st603;
	goto st0;
st603:
	if ( ++p == pe )
		goto _test_eof603;
case 603:
	if ( (*p) == 111 )
		goto st604;
	goto st0;
st604:
	if ( ++p == pe )
		goto _test_eof604;
case 604:
	if ( (*p) == 98 )
		goto st605;
	goto st0;
st605:
	if ( ++p == pe )
		goto _test_eof605;
case 605:
	if ( (*p) == 105 )
		goto st606;
	goto st0;
st606:
	if ( ++p == pe )
		goto _test_eof606;
case 606:
	if ( (*p) == 109 )
		goto st607;
	goto st0;
st607:
	if ( ++p == pe )
		goto _test_eof607;
case 607:
	if ( (*p) == 105 )
		goto st608;
	goto st0;
st608:
	if ( ++p == pe )
		goto _test_eof608;
case 608:
	if ( (*p) == 115 )
		goto st609;
	goto st0;
st609:
	if ( ++p == pe )
		goto _test_eof609;
case 609:
	if ( (*p) == 116 )
		goto tr649;
	goto st0;
st610:
	if ( ++p == pe )
		goto _test_eof610;
case 610:
	if ( (*p) == 116 )
		goto st611;
	goto st0;
st611:
	if ( ++p == pe )
		goto _test_eof611;
case 611:
	if ( (*p) == 110 )
		goto st612;
	goto st0;
st612:
	if ( ++p == pe )
		goto _test_eof612;
case 612:
	if ( (*p) == 117 )
		goto st613;
	goto st0;
st613:
	if ( ++p == pe )
		goto _test_eof613;
case 613:
	if ( (*p) == 122 )
		goto st614;
	goto st0;
st614:
	if ( ++p == pe )
		goto _test_eof614;
case 614:
	if ( (*p) == 105 )
		goto st615;
	goto st0;
st615:
	if ( ++p == pe )
		goto _test_eof615;
case 615:
	if ( (*p) == 108 )
		goto st616;
	goto st0;
st616:
	if ( ++p == pe )
		goto _test_eof616;
case 616:
	if ( (*p) == 105 )
		goto st617;
	goto st0;
st617:
	if ( ++p == pe )
		goto _test_eof617;
case 617:
	if ( (*p) == 114 )
		goto st618;
	goto st0;
st618:
	if ( ++p == pe )
		goto _test_eof618;
case 618:
	if ( (*p) == 114 )
		goto st619;
	goto st0;
st619:
	if ( ++p == pe )
		goto _test_eof619;
case 619:
	if ( (*p) == 111 )
		goto st620;
	goto st0;
st620:
	if ( ++p == pe )
		goto _test_eof620;
case 620:
	if ( (*p) == 107 )
		goto st621;
	goto st0;
st621:
	if ( ++p == pe )
		goto _test_eof621;
case 621:
	if ( (*p) == 117 )
		goto st622;
	goto st0;
st622:
	if ( ++p == pe )
		goto _test_eof622;
case 622:
	if ( (*p) == 110 )
		goto tr662;
	goto st0;
st623:
	if ( ++p == pe )
		goto _test_eof623;
case 623:
	if ( (*p) == 115 )
		goto st624;
	goto st0;
st624:
	if ( ++p == pe )
		goto _test_eof624;
case 624:
	if ( (*p) == 116 )
		goto st625;
	goto st0;
st625:
	if ( ++p == pe )
		goto _test_eof625;
case 625:
	if ( (*p) == 103 )
		goto st626;
	goto st0;
st626:
	if ( ++p == pe )
		goto _test_eof626;
case 626:
	if ( (*p) == 105 )
		goto st627;
	goto st0;
st627:
	if ( ++p == pe )
		goto _test_eof627;
case 627:
	if ( (*p) == 98 )
		goto st628;
	goto st0;
st628:
	if ( ++p == pe )
		goto _test_eof628;
case 628:
	if ( (*p) == 111 )
		goto st629;
	goto st0;
st629:
	if ( ++p == pe )
		goto _test_eof629;
case 629:
	if ( (*p) == 110 )
		goto st630;
	goto st0;
st630:
	if ( ++p == pe )
		goto _test_eof630;
case 630:
	if ( (*p) == 103 )
		goto st631;
	goto st0;
st631:
	if ( ++p == pe )
		goto _test_eof631;
case 631:
	if ( (*p) == 97 )
		goto st632;
	goto st0;
st632:
	if ( ++p == pe )
		goto _test_eof632;
case 632:
	if ( (*p) == 115 )
		goto st633;
	goto st0;
st633:
	if ( ++p == pe )
		goto _test_eof633;
case 633:
	if ( (*p) == 116 )
		goto tr673;
	goto st0;
st634:
	if ( ++p == pe )
		goto _test_eof634;
case 634:
	if ( (*p) == 114 )
		goto st635;
	goto st0;
st635:
	if ( ++p == pe )
		goto _test_eof635;
case 635:
	if ( (*p) == 115 )
		goto st636;
	goto st0;
st636:
	if ( ++p == pe )
		goto _test_eof636;
case 636:
	if ( (*p) == 105 )
		goto st637;
	goto st0;
st637:
	if ( ++p == pe )
		goto _test_eof637;
case 637:
	if ( (*p) == 114 )
		goto st638;
	goto st0;
st638:
	if ( ++p == pe )
		goto _test_eof638;
case 638:
	if ( (*p) == 115 )
		goto st639;
	goto st0;
st639:
	if ( ++p == pe )
		goto _test_eof639;
case 639:
	if ( (*p) == 105 )
		goto st640;
	goto st0;
st640:
	if ( ++p == pe )
		goto _test_eof640;
case 640:
	if ( (*p) == 114 )
		goto st641;
	goto st0;
st641:
	if ( ++p == pe )
		goto _test_eof641;
case 641:
	if ( (*p) == 107 )
		goto st642;
	goto st0;
st642:
	if ( ++p == pe )
		goto _test_eof642;
case 642:
	if ( (*p) == 97 )
		goto tr682;
	goto st0;
st643:
	if ( ++p == pe )
		goto _test_eof643;
case 643:
	if ( (*p) == 97 )
		goto st644;
	goto st0;
st644:
	if ( ++p == pe )
		goto _test_eof644;
case 644:
	if ( (*p) == 115 )
		goto st645;
	goto st0;
st645:
	if ( ++p == pe )
		goto _test_eof645;
case 645:
	if ( (*p) == 116 )
		goto st646;
	goto st0;
st646:
	if ( ++p == pe )
		goto _test_eof646;
case 646:
	if ( (*p) == 100 )
		goto st647;
	goto st0;
st647:
	if ( ++p == pe )
		goto _test_eof647;
case 647:
	if ( (*p) == 97 )
		goto st648;
	goto st0;
st648:
	if ( ++p == pe )
		goto _test_eof648;
case 648:
	if ( (*p) == 107 )
		goto st649;
	goto st0;
st649:
	if ( ++p == pe )
		goto _test_eof649;
case 649:
	if ( (*p) == 105 )
		goto st650;
	goto st0;
st650:
	if ( ++p == pe )
		goto _test_eof650;
case 650:
	if ( (*p) == 115 )
		goto st651;
	goto st0;
st651:
	if ( ++p == pe )
		goto _test_eof651;
case 651:
	if ( (*p) == 116 )
		goto st652;
	goto st0;
st652:
	if ( ++p == pe )
		goto _test_eof652;
case 652:
	if ( (*p) == 102 )
		goto st653;
	goto st0;
st653:
	if ( ++p == pe )
		goto _test_eof653;
case 653:
	if ( (*p) == 111 )
		goto st654;
	goto st0;
st654:
	if ( ++p == pe )
		goto _test_eof654;
case 654:
	if ( (*p) == 115 )
		goto st655;
	goto st0;
st655:
	if ( ++p == pe )
		goto _test_eof655;
case 655:
	if ( (*p) == 116 )
		goto tr695;
	goto st0;
st656:
	if ( ++p == pe )
		goto _test_eof656;
case 656:
	switch( (*p) ) {
		case 97: goto st657;
		case 105: goto st666;
	}
	goto st0;
st657:
	if ( ++p == pe )
		goto _test_eof657;
case 657:
	if ( (*p) == 115 )
		goto st658;
	goto st0;
st658:
	if ( ++p == pe )
		goto _test_eof658;
case 658:
	if ( (*p) == 116 )
		goto st659;
	goto st0;
st659:
	if ( ++p == pe )
		goto _test_eof659;
case 659:
	if ( (*p) == 112 )
		goto st660;
	goto st0;
st660:
	if ( ++p == pe )
		goto _test_eof660;
case 660:
	if ( (*p) == 97 )
		goto st661;
	goto st0;
st661:
	if ( ++p == pe )
		goto _test_eof661;
case 661:
	if ( (*p) == 122 )
		goto st662;
	goto st0;
st662:
	if ( ++p == pe )
		goto _test_eof662;
case 662:
	if ( (*p) == 97 )
		goto st663;
	goto st0;
st663:
	if ( ++p == pe )
		goto _test_eof663;
case 663:
	if ( (*p) == 114 )
		goto st664;
	goto st0;
st664:
	if ( ++p == pe )
		goto _test_eof664;
case 664:
	if ( (*p) == 114 )
		goto st665;
	goto st0;
st665:
	if ( ++p == pe )
		goto _test_eof665;
case 665:
	if ( (*p) == 101 )
		goto tr706;
	goto st0;
st666:
	if ( ++p == pe )
		goto _test_eof666;
case 666:
	switch( (*p) ) {
		case 114: goto st667;
		case 115: goto st674;
	}
	goto st0;
st667:
	if ( ++p == pe )
		goto _test_eof667;
case 667:
	if ( (*p) == 103 )
		goto st668;
	goto st0;
st668:
	if ( ++p == pe )
		goto _test_eof668;
case 668:
	if ( (*p) == 105 )
		goto st669;
	goto st0;
st669:
	if ( ++p == pe )
		goto _test_eof669;
case 669:
	if ( (*p) == 110 )
		goto st670;
	goto st0;
st670:
	if ( ++p == pe )
		goto _test_eof670;
case 670:
	if ( (*p) == 114 )
		goto st671;
	goto st0;
st671:
	if ( ++p == pe )
		goto _test_eof671;
case 671:
	if ( (*p) == 101 )
		goto st672;
	goto st0;
st672:
	if ( ++p == pe )
		goto _test_eof672;
case 672:
	if ( (*p) == 98 )
		goto st673;
	goto st0;
st673:
	if ( ++p == pe )
		goto _test_eof673;
case 673:
	if ( (*p) == 111 )
		goto tr715;
	goto st0;
st674:
	if ( ++p == pe )
		goto _test_eof674;
case 674:
	if ( (*p) == 116 )
		goto st675;
	goto st0;
st675:
	if ( ++p == pe )
		goto _test_eof675;
case 675:
	if ( (*p) == 122 )
		goto st676;
	goto st0;
st676:
	if ( ++p == pe )
		goto _test_eof676;
case 676:
	if ( (*p) == 105 )
		goto st677;
	goto st0;
st677:
	if ( ++p == pe )
		goto _test_eof677;
case 677:
	if ( (*p) == 115 )
		goto st678;
	goto st0;
st678:
	if ( ++p == pe )
		goto _test_eof678;
case 678:
	if ( (*p) == 116 )
		goto st679;
	goto st0;
st679:
	if ( ++p == pe )
		goto _test_eof679;
case 679:
	if ( (*p) == 122 )
		goto st680;
	goto st0;
st680:
	if ( ++p == pe )
		goto _test_eof680;
case 680:
	if ( (*p) == 117 )
		goto st681;
	goto st0;
st681:
	if ( ++p == pe )
		goto _test_eof681;
case 681:
	if ( (*p) == 115 )
		goto st682;
	goto st0;
st682:
	if ( ++p == pe )
		goto _test_eof682;
case 682:
	if ( (*p) == 116 )
		goto tr724;
	goto st0;
st683:
	if ( ++p == pe )
		goto _test_eof683;
case 683:
	switch( (*p) ) {
		case 97: goto st684;
		case 105: goto st701;
		case 111: goto st723;
		case 117: goto st744;
	}
	goto st0;
st684:
	if ( ++p == pe )
		goto _test_eof684;
case 684:
	if ( (*p) == 109 )
		goto st685;
	goto st0;
st685:
	if ( ++p == pe )
		goto _test_eof685;
case 685:
	if ( (*p) == 117 )
		goto st686;
	goto st0;
st686:
	if ( ++p == pe )
		goto _test_eof686;
case 686:
	if ( (*p) == 110 )
		goto st687;
	goto st0;
st687:
	if ( ++p == pe )
		goto _test_eof687;
case 687:
	if ( (*p) == 110 )
		goto st688;
	goto st0;
st688:
	if ( ++p == pe )
		goto _test_eof688;
case 688:
	if ( (*p) == 97 )
		goto st689;
	goto st0;
st689:
	if ( ++p == pe )
		goto _test_eof689;
case 689:
	if ( (*p) == 116 )
		goto st690;
	goto st0;
st690:
	if ( ++p == pe )
		goto _test_eof690;
case 690:
	if ( (*p) == 97 )
		goto st691;
	goto st0;
st691:
	if ( ++p == pe )
		goto _test_eof691;
case 691:
	if ( (*p) == 114 )
		goto st692;
	goto st0;
st692:
	if ( ++p == pe )
		goto _test_eof692;
case 692:
	if ( (*p) == 102 )
		goto st693;
	goto st0;
st693:
	if ( ++p == pe )
		goto _test_eof693;
case 693:
	if ( (*p) == 97 )
		goto st694;
	goto st0;
st694:
	if ( ++p == pe )
		goto _test_eof694;
case 694:
	if ( (*p) == 114 )
		goto st695;
	goto st0;
st695:
	if ( ++p == pe )
		goto _test_eof695;
case 695:
	if ( (*p) == 112 )
		goto st696;
	goto st0;
st696:
	if ( ++p == pe )
		goto _test_eof696;
case 696:
	if ( (*p) == 105 )
		goto st697;
	goto st0;
st697:
	if ( ++p == pe )
		goto _test_eof697;
case 697:
	if ( (*p) == 116 )
		goto st698;
	goto st0;
st698:
	if ( ++p == pe )
		goto _test_eof698;
case 698:
	if ( (*p) == 117 )
		goto st699;
	goto st0;
st699:
	if ( ++p == pe )
		goto _test_eof699;
case 699:
	if ( (*p) == 102 )
		goto st700;
	goto st0;
st700:
	if ( ++p == pe )
		goto _test_eof700;
case 700:
	if ( (*p) == 101 )
		goto tr745;
	goto st0;
st701:
	if ( ++p == pe )
		goto _test_eof701;
case 701:
	switch( (*p) ) {
		case 98: goto st702;
		case 122: goto st712;
	}
	goto st0;
st702:
	if ( ++p == pe )
		goto _test_eof702;
case 702:
	if ( (*p) == 105 )
		goto st703;
	goto st0;
st703:
	if ( ++p == pe )
		goto _test_eof703;
case 703:
	if ( (*p) == 115 )
		goto st704;
	goto st0;
st704:
	if ( ++p == pe )
		goto _test_eof704;
case 704:
	if ( (*p) == 116 )
		goto st705;
	goto st0;
st705:
	if ( ++p == pe )
		goto _test_eof705;
case 705:
	if ( (*p) == 116 )
		goto st706;
	goto st0;
st706:
	if ( ++p == pe )
		goto _test_eof706;
case 706:
	if ( (*p) == 97 )
		goto st707;
	goto st0;
st707:
	if ( ++p == pe )
		goto _test_eof707;
case 707:
	if ( (*p) == 115 )
		goto st708;
	goto st0;
st708:
	if ( ++p == pe )
		goto _test_eof708;
case 708:
	if ( (*p) == 116 )
		goto st709;
	goto st0;
st709:
	if ( ++p == pe )
		goto _test_eof709;
case 709:
	if ( (*p) == 107 )
		goto st710;
	goto st0;
st710:
	if ( ++p == pe )
		goto _test_eof710;
case 710:
	if ( (*p) == 105 )
		goto st711;
	goto st0;
st711:
	if ( ++p == pe )
		goto _test_eof711;
case 711:
	if ( (*p) == 114 )
		goto tr757;
	goto st0;
st712:
	if ( ++p == pe )
		goto _test_eof712;
case 712:
	if ( (*p) == 105 )
		goto st713;
	goto st0;
st713:
	if ( ++p == pe )
		goto _test_eof713;
case 713:
	if ( (*p) == 110 )
		goto st714;
	goto st0;
st714:
	if ( ++p == pe )
		goto _test_eof714;
case 714:
	if ( (*p) == 116 )
		goto st715;
	goto st0;
st715:
	if ( ++p == pe )
		goto _test_eof715;
case 715:
	if ( (*p) == 105 )
		goto st716;
	goto st0;
st716:
	if ( ++p == pe )
		goto _test_eof716;
case 716:
	if ( (*p) == 114 )
		goto st717;
	goto st0;
st717:
	if ( ++p == pe )
		goto _test_eof717;
case 717:
	if ( (*p) == 103 )
		goto st718;
	goto st0;
st718:
	if ( ++p == pe )
		goto _test_eof718;
case 718:
	if ( (*p) == 101 )
		goto st719;
	goto st0;
st719:
	if ( ++p == pe )
		goto _test_eof719;
case 719:
	if ( (*p) == 110 )
		goto st720;
	goto st0;
st720:
	if ( ++p == pe )
		goto _test_eof720;
case 720:
	if ( (*p) == 103 )
		goto st721;
	goto st0;
st721:
	if ( ++p == pe )
		goto _test_eof721;
case 721:
	if ( (*p) == 105 )
		goto st722;
	goto st0;
st722:
	if ( ++p == pe )
		goto _test_eof722;
case 722:
	if ( (*p) == 110 )
		goto tr768;
	goto st0;
st723:
	if ( ++p == pe )
		goto _test_eof723;
case 723:
	if ( (*p) == 115 )
		goto st724;
	goto st0;
st724:
	if ( ++p == pe )
		goto _test_eof724;
case 724:
	if ( (*p) == 116 )
		goto st725;
	goto st0;
st725:
	if ( ++p == pe )
		goto _test_eof725;
case 725:
	if ( (*p) == 115 )
		goto st726;
	goto st0;
st726:
	if ( ++p == pe )
		goto _test_eof726;
case 726:
	if ( (*p) == 117 )
		goto st727;
	goto st0;
st727:
	if ( ++p == pe )
		goto _test_eof727;
case 727:
	if ( (*p) == 114 )
		goto st728;
	goto st0;
st728:
	if ( ++p == pe )
		goto _test_eof728;
case 728:
	if ( (*p) == 103 )
		goto st729;
	goto st0;
st729:
	if ( ++p == pe )
		goto _test_eof729;
case 729:
	if ( (*p) == 117 )
		goto st730;
	goto st0;
st730:
	if ( ++p == pe )
		goto _test_eof730;
case 730:
	if ( (*p) == 103 )
		goto st731;
	goto st0;
st731:
	if ( ++p == pe )
		goto _test_eof731;
case 731:
	if ( (*p) == 111 )
		goto st732;
	goto st0;
st732:
	if ( ++p == pe )
		goto _test_eof732;
case 732:
	if ( (*p) == 115 )
		goto st733;
	goto st0;
st733:
	if ( ++p == pe )
		goto _test_eof733;
case 733:
	if ( (*p) == 116 )
		goto st734;
	goto st0;
st734:
	if ( ++p == pe )
		goto _test_eof734;
case 734:
	if ( (*p) == 109 )
		goto st735;
	goto st0;
st735:
	if ( ++p == pe )
		goto _test_eof735;
case 735:
	if ( (*p) == 97 )
		goto st736;
	goto st0;
st736:
	if ( ++p == pe )
		goto _test_eof736;
case 736:
	if ( (*p) == 107 )
		goto st737;
	goto st0;
st737:
	if ( ++p == pe )
		goto _test_eof737;
case 737:
	if ( (*p) == 117 )
		goto st738;
	goto st0;
st738:
	if ( ++p == pe )
		goto _test_eof738;
case 738:
	if ( (*p) == 115 )
		goto st739;
	goto st0;
st739:
	if ( ++p == pe )
		goto _test_eof739;
case 739:
	if ( (*p) == 116 )
		goto st740;
	goto st0;
st740:
	if ( ++p == pe )
		goto _test_eof740;
case 740:
	if ( (*p) == 107 )
		goto st741;
	goto st0;
st741:
	if ( ++p == pe )
		goto _test_eof741;
case 741:
	if ( (*p) == 101 )
		goto st742;
	goto st0;
st742:
	if ( ++p == pe )
		goto _test_eof742;
case 742:
	if ( (*p) == 115 )
		goto st743;
	goto st0;
st743:
	if ( ++p == pe )
		goto _test_eof743;
case 743:
	if ( (*p) == 116 )
		goto tr789;
	goto st0;
st744:
	if ( ++p == pe )
		goto _test_eof744;
case 744:
	switch( (*p) ) {
		case 114: goto st745;
		case 115: goto st759;
	}
	goto st0;
st745:
	if ( ++p == pe )
		goto _test_eof745;
case 745:
	if ( (*p) == 118 )
		goto st746;
	goto st0;
st746:
	if ( ++p == pe )
		goto _test_eof746;
case 746:
	if ( (*p) == 101 )
		goto st747;
	goto st0;
st747:
	if ( ++p == pe )
		goto _test_eof747;
case 747:
	if ( (*p) == 108 )
		goto st748;
	goto st0;
st748:
	if ( ++p == pe )
		goto _test_eof748;
case 748:
	if ( (*p) == 97 )
		goto st749;
	goto st0;
st749:
	if ( ++p == pe )
		goto _test_eof749;
case 749:
	if ( (*p) == 115 )
		goto st750;
	goto st0;
st750:
	if ( ++p == pe )
		goto _test_eof750;
case 750:
	if ( (*p) == 116 )
		goto st751;
	goto st0;
st751:
	if ( ++p == pe )
		goto _test_eof751;
case 751:
	if ( (*p) == 100 )
		goto st752;
	goto st0;
st752:
	if ( ++p == pe )
		goto _test_eof752;
case 752:
	if ( (*p) == 117 )
		goto st753;
	goto st0;
st753:
	if ( ++p == pe )
		goto _test_eof753;
case 753:
	if ( (*p) == 102 )
		goto st754;
	goto st0;
st754:
	if ( ++p == pe )
		goto _test_eof754;
case 754:
	if ( (*p) == 101 )
		goto st755;
	goto st0;
st755:
	if ( ++p == pe )
		goto _test_eof755;
case 755:
	if ( (*p) == 103 )
		goto st756;
	goto st0;
st756:
	if ( ++p == pe )
		goto _test_eof756;
case 756:
	if ( (*p) == 111 )
		goto st757;
	goto st0;
st757:
	if ( ++p == pe )
		goto _test_eof757;
case 757:
	if ( (*p) == 115 )
		goto st758;
	goto st0;
st758:
	if ( ++p == pe )
		goto _test_eof758;
case 758:
	if ( (*p) == 116 )
		goto tr805;
	goto st0;
st759:
	if ( ++p == pe )
		goto _test_eof759;
case 759:
	if ( (*p) == 116 )
		goto st760;
	goto st0;
st760:
	if ( ++p == pe )
		goto _test_eof760;
case 760:
	if ( (*p) == 107 )
		goto st761;
	goto st0;
st761:
	if ( ++p == pe )
		goto _test_eof761;
case 761:
	if ( (*p) == 111 )
		goto st762;
	goto st0;
st762:
	if ( ++p == pe )
		goto _test_eof762;
case 762:
	if ( (*p) == 114 )
		goto st763;
	goto st0;
st763:
	if ( ++p == pe )
		goto _test_eof763;
case 763:
	if ( (*p) == 97 )
		goto st764;
	goto st0;
st764:
	if ( ++p == pe )
		goto _test_eof764;
case 764:
	if ( (*p) == 115 )
		goto st765;
	goto st0;
st765:
	if ( ++p == pe )
		goto _test_eof765;
case 765:
	if ( (*p) == 116 )
		goto st766;
	goto st0;
st766:
	if ( ++p == pe )
		goto _test_eof766;
case 766:
	if ( (*p) == 114 )
		goto st767;
	goto st0;
st767:
	if ( ++p == pe )
		goto _test_eof767;
case 767:
	if ( (*p) == 97 )
		goto st768;
	goto st0;
st768:
	if ( ++p == pe )
		goto _test_eof768;
case 768:
	if ( (*p) == 115 )
		goto st769;
	goto st0;
st769:
	if ( ++p == pe )
		goto _test_eof769;
case 769:
	if ( (*p) == 97 )
		goto st770;
	goto st0;
st770:
	if ( ++p == pe )
		goto _test_eof770;
case 770:
	if ( (*p) == 114 )
		goto st771;
	goto st0;
st771:
	if ( ++p == pe )
		goto _test_eof771;
case 771:
	if ( (*p) == 118 )
		goto st772;
	goto st0;
st772:
	if ( ++p == pe )
		goto _test_eof772;
case 772:
	if ( (*p) == 105 )
		goto tr819;
	goto st0;
st773:
	if ( ++p == pe )
		goto _test_eof773;
case 773:
	switch( (*p) ) {
		case 97: goto st774;
		case 111: goto st793;
	}
	goto st0;
st774:
	if ( ++p == pe )
		goto _test_eof774;
case 774:
	switch( (*p) ) {
		case 110: goto st775;
		case 115: goto st780;
	}
	goto st0;
st775:
	if ( ++p == pe )
		goto _test_eof775;
case 775:
	if ( (*p) == 98 )
		goto st776;
	goto st0;
st776:
	if ( ++p == pe )
		goto _test_eof776;
case 776:
	if ( (*p) == 105 )
		goto st777;
	goto st0;
st777:
	if ( ++p == pe )
		goto _test_eof777;
case 777:
	if ( (*p) == 98 )
		goto st778;
	goto st0;
st778:
	if ( ++p == pe )
		goto _test_eof778;
case 778:
	if ( (*p) == 117 )
		goto st779;
	goto st0;
st779:
	if ( ++p == pe )
		goto _test_eof779;
case 779:
	if ( (*p) == 114 )
		goto tr828;
	goto st0;
st780:
	if ( ++p == pe )
		goto _test_eof780;
case 780:
	switch( (*p) ) {
		case 116: goto st781;
		case 117: goto st788;
	}
	goto st0;
st781:
	if ( ++p == pe )
		goto _test_eof781;
case 781:
	if ( (*p) == 103 )
		goto st782;
	goto st0;
st782:
	if ( ++p == pe )
		goto _test_eof782;
case 782:
	if ( (*p) == 101 )
		goto st783;
	goto st0;
st783:
	if ( ++p == pe )
		goto _test_eof783;
case 783:
	if ( (*p) == 114 )
		goto st784;
	goto st0;
st784:
	if ( ++p == pe )
		goto _test_eof784;
case 784:
	if ( (*p) == 110 )
		goto st785;
	goto st0;
st785:
	if ( ++p == pe )
		goto _test_eof785;
case 785:
	if ( (*p) == 97 )
		goto st786;
	goto st0;
st786:
	if ( ++p == pe )
		goto _test_eof786;
case 786:
	if ( (*p) == 115 )
		goto st787;
	goto st0;
st787:
	if ( ++p == pe )
		goto _test_eof787;
case 787:
	if ( (*p) == 116 )
		goto tr837;
	goto st0;
st788:
	if ( ++p == pe )
		goto _test_eof788;
case 788:
	if ( (*p) == 115 )
		goto st789;
	goto st0;
st789:
	if ( ++p == pe )
		goto _test_eof789;
case 789:
	if ( (*p) == 116 )
		goto st790;
	goto st0;
st790:
	if ( ++p == pe )
		goto _test_eof790;
case 790:
	if ( (*p) == 112 )
		goto st791;
	goto st0;
st791:
	if ( ++p == pe )
		goto _test_eof791;
case 791:
	if ( (*p) == 105 )
		goto st792;
	goto st0;
st792:
	if ( ++p == pe )
		goto _test_eof792;
case 792:
	if ( (*p) == 110 )
		goto tr842;
	goto st0;
st793:
	if ( ++p == pe )
		goto _test_eof793;
case 793:
	if ( (*p) == 114 )
		goto st794;
	goto st0;
st794:
	if ( ++p == pe )
		goto _test_eof794;
case 794:
	if ( (*p) == 116 )
		goto st795;
	goto st0;
st795:
	if ( ++p == pe )
		goto _test_eof795;
case 795:
	if ( (*p) == 101 )
		goto st796;
	goto st0;
st796:
	if ( ++p == pe )
		goto _test_eof796;
case 796:
	if ( (*p) == 110 )
		goto st797;
	goto st0;
st797:
	if ( ++p == pe )
		goto _test_eof797;
case 797:
	if ( (*p) == 97 )
		goto st798;
	goto st0;
st798:
	if ( ++p == pe )
		goto _test_eof798;
case 798:
	if ( (*p) == 114 )
		goto st799;
	goto st0;
st799:
	if ( ++p == pe )
		goto _test_eof799;
case 799:
	if ( (*p) == 110 )
		goto st800;
	goto st0;
st800:
	if ( ++p == pe )
		goto _test_eof800;
case 800:
	if ( (*p) == 101 )
		goto st801;
	goto st0;
st801:
	if ( ++p == pe )
		goto _test_eof801;
case 801:
	if ( (*p) == 114 )
		goto st802;
	goto st0;
st802:
	if ( ++p == pe )
		goto _test_eof802;
case 802:
	if ( (*p) == 116 )
		goto st803;
	goto st0;
st803:
	if ( ++p == pe )
		goto _test_eof803;
case 803:
	if ( (*p) == 101 )
		goto st804;
	goto st0;
st804:
	if ( ++p == pe )
		goto _test_eof804;
case 804:
	if ( (*p) == 114 )
		goto st805;
	goto st0;
st805:
	if ( ++p == pe )
		goto _test_eof805;
case 805:
	if ( (*p) == 108 )
		goto st806;
	goto st0;
st806:
	if ( ++p == pe )
		goto _test_eof806;
case 806:
	if ( (*p) == 101 )
		goto tr856;
	goto st0;
st807:
	if ( ++p == pe )
		goto _test_eof807;
case 807:
	switch( (*p) ) {
		case 97: goto st808;
		case 117: goto st818;
	}
	goto st0;
st808:
	if ( ++p == pe )
		goto _test_eof808;
case 808:
	if ( (*p) == 115 )
		goto st809;
	goto st0;
st809:
	if ( ++p == pe )
		goto _test_eof809;
case 809:
	if ( (*p) == 111 )
		goto st810;
	goto st0;
st810:
	if ( ++p == pe )
		goto _test_eof810;
case 810:
	if ( (*p) == 110 )
		goto st811;
	goto st0;
st811:
	if ( ++p == pe )
		goto _test_eof811;
case 811:
	if ( (*p) == 110 )
		goto st812;
	goto st0;
st812:
	if ( ++p == pe )
		goto _test_eof812;
case 812:
	if ( (*p) == 111 )
		goto st813;
	goto st0;
st813:
	if ( ++p == pe )
		goto _test_eof813;
case 813:
	if ( (*p) == 115 )
		goto st814;
	goto st0;
st814:
	if ( ++p == pe )
		goto _test_eof814;
case 814:
	if ( (*p) == 116 )
		goto st815;
	goto st0;
st815:
	if ( ++p == pe )
		goto _test_eof815;
case 815:
	if ( (*p) == 112 )
		goto st816;
	goto st0;
st816:
	if ( ++p == pe )
		goto _test_eof816;
case 816:
	if ( (*p) == 117 )
		goto st817;
	goto st0;
st817:
	if ( ++p == pe )
		goto _test_eof817;
case 817:
	if ( (*p) == 110 )
		goto tr868;
	goto st0;
st818:
	if ( ++p == pe )
		goto _test_eof818;
case 818:
	switch( (*p) ) {
		case 114: goto st819;
		case 118: goto st848;
	}
	goto st0;
st819:
	if ( ++p == pe )
		goto _test_eof819;
case 819:
	switch( (*p) ) {
		case 109: goto st820;
		case 115: goto st830;
	}
	goto st0;
st820:
	if ( ++p == pe )
		goto _test_eof820;
case 820:
	if ( (*p) == 97 )
		goto st821;
	goto st0;
st821:
	if ( ++p == pe )
		goto _test_eof821;
case 821:
	if ( (*p) == 109 )
		goto st822;
	goto st0;
st822:
	if ( ++p == pe )
		goto _test_eof822;
case 822:
	if ( (*p) == 111 )
		goto st823;
	goto st0;
st823:
	if ( ++p == pe )
		goto _test_eof823;
case 823:
	if ( (*p) == 114 )
		goto st824;
	goto st0;
st824:
	if ( ++p == pe )
		goto _test_eof824;
case 824:
	if ( (*p) == 118 )
		goto st825;
	goto st0;
st825:
	if ( ++p == pe )
		goto _test_eof825;
case 825:
	if ( (*p) == 117 )
		goto st826;
	goto st0;
st826:
	if ( ++p == pe )
		goto _test_eof826;
case 826:
	if ( (*p) == 108 )
		goto st827;
	goto st0;
st827:
	if ( ++p == pe )
		goto _test_eof827;
case 827:
	if ( (*p) == 97 )
		goto st828;
	goto st0;
st828:
	if ( ++p == pe )
		goto _test_eof828;
case 828:
	if ( (*p) == 115 )
		goto st829;
	goto st0;
st829:
	if ( ++p == pe )
		goto _test_eof829;
case 829:
	if ( (*p) == 116 )
		goto tr882;
	goto st0;
st830:
	if ( ++p == pe )
		goto _test_eof830;
case 830:
	if ( (*p) == 97 )
		goto st831;
	goto st0;
st831:
	if ( ++p == pe )
		goto _test_eof831;
case 831:
	if ( (*p) == 115 )
		goto st832;
	goto st0;
st832:
	if ( ++p == pe )
		goto _test_eof832;
case 832:
	if ( (*p) == 116 )
		goto st833;
	goto st0;
st833:
	if ( ++p == pe )
		goto _test_eof833;
case 833:
	if ( (*p) == 115 )
		goto st834;
	goto st0;
st834:
	if ( ++p == pe )
		goto _test_eof834;
case 834:
	if ( (*p) == 111 )
		goto st835;
	goto st0;
st835:
	if ( ++p == pe )
		goto _test_eof835;
case 835:
	if ( (*p) == 115 )
		goto st836;
	goto st0;
st836:
	if ( ++p == pe )
		goto _test_eof836;
case 836:
	if ( (*p) == 116 )
		goto st837;
	goto st0;
st837:
	if ( ++p == pe )
		goto _test_eof837;
case 837:
	if ( (*p) == 100 )
		goto st838;
	goto st0;
st838:
	if ( ++p == pe )
		goto _test_eof838;
case 838:
	if ( (*p) == 111 )
		goto st839;
	goto st0;
st839:
	if ( ++p == pe )
		goto _test_eof839;
case 839:
	if ( (*p) == 114 )
		goto st840;
	goto st0;
st840:
	if ( ++p == pe )
		goto _test_eof840;
case 840:
	if ( (*p) == 98 )
		goto st841;
	goto st0;
st841:
	if ( ++p == pe )
		goto _test_eof841;
case 841:
	if ( (*p) == 97 )
		goto st842;
	goto st0;
st842:
	if ( ++p == pe )
		goto _test_eof842;
case 842:
	if ( (*p) == 115 )
		goto st843;
	goto st0;
st843:
	if ( ++p == pe )
		goto _test_eof843;
case 843:
	if ( (*p) == 116 )
		goto st844;
	goto st0;
st844:
	if ( ++p == pe )
		goto _test_eof844;
case 844:
	if ( (*p) == 100 )
		goto st845;
	goto st0;
st845:
	if ( ++p == pe )
		goto _test_eof845;
case 845:
	if ( (*p) == 111 )
		goto st846;
	goto st0;
st846:
	if ( ++p == pe )
		goto _test_eof846;
case 846:
	if ( (*p) == 112 )
		goto st847;
	goto st0;
st847:
	if ( ++p == pe )
		goto _test_eof847;
case 847:
	if ( (*p) == 111 )
		goto tr900;
	goto st0;
st848:
	if ( ++p == pe )
		goto _test_eof848;
case 848:
	if ( (*p) == 111 )
		goto st849;
	goto st0;
st849:
	if ( ++p == pe )
		goto _test_eof849;
case 849:
	if ( (*p) == 115 )
		goto st850;
	goto st0;
st850:
	if ( ++p == pe )
		goto _test_eof850;
case 850:
	if ( (*p) == 101 )
		goto st851;
	goto st0;
st851:
	if ( ++p == pe )
		goto _test_eof851;
case 851:
	if ( (*p) == 103 )
		goto st852;
	goto st0;
st852:
	if ( ++p == pe )
		goto _test_eof852;
case 852:
	if ( (*p) == 117 )
		goto st853;
	goto st0;
st853:
	if ( ++p == pe )
		goto _test_eof853;
case 853:
	if ( (*p) == 114 )
		goto st854;
	goto st0;
st854:
	if ( ++p == pe )
		goto _test_eof854;
case 854:
	if ( (*p) == 115 )
		goto st855;
	goto st0;
st855:
	if ( ++p == pe )
		goto _test_eof855;
case 855:
	if ( (*p) == 101 )
		goto st856;
	goto st0;
st856:
	if ( ++p == pe )
		goto _test_eof856;
case 856:
	if ( (*p) == 107 )
		goto st857;
	goto st0;
st857:
	if ( ++p == pe )
		goto _test_eof857;
case 857:
	if ( (*p) == 97 )
		goto st858;
	goto st0;
st858:
	if ( ++p == pe )
		goto _test_eof858;
case 858:
	if ( (*p) == 115 )
		goto st859;
	goto st0;
st859:
	if ( ++p == pe )
		goto _test_eof859;
case 859:
	if ( (*p) == 116 )
		goto tr912;
	goto st0;
st860:
	if ( ++p == pe )
		goto _test_eof860;
case 860:
	if ( (*p) == 117 )
		goto st861;
	goto st0;
st861:
	if ( ++p == pe )
		goto _test_eof861;
case 861:
	switch( (*p) ) {
		case 102: goto st862;
		case 114: goto st876;
		case 115: goto st895;
	}
	goto st0;
st862:
	if ( ++p == pe )
		goto _test_eof862;
case 862:
	if ( (*p) == 97 )
		goto st863;
	goto st0;
st863:
	if ( ++p == pe )
		goto _test_eof863;
case 863:
	if ( (*p) == 115 )
		goto st864;
	goto st0;
st864:
	if ( ++p == pe )
		goto _test_eof864;
case 864:
	if ( (*p) == 116 )
		goto st865;
	goto st0;
st865:
	if ( ++p == pe )
		goto _test_eof865;
case 865:
	if ( (*p) == 118 )
		goto st866;
	goto st0;
st866:
	if ( ++p == pe )
		goto _test_eof866;
case 866:
	if ( (*p) == 111 )
		goto st867;
	goto st0;
st867:
	if ( ++p == pe )
		goto _test_eof867;
case 867:
	if ( (*p) == 110 )
		goto st868;
	goto st0;
st868:
	if ( ++p == pe )
		goto _test_eof868;
case 868:
	if ( (*p) == 111 )
		goto st869;
	goto st0;
st869:
	if ( ++p == pe )
		goto _test_eof869;
case 869:
	if ( (*p) == 110 )
		goto st870;
	goto st0;
st870:
	if ( ++p == pe )
		goto _test_eof870;
case 870:
	if ( (*p) == 118 )
		goto st871;
	goto st0;
st871:
	if ( ++p == pe )
		goto _test_eof871;
case 871:
	if ( (*p) == 105 )
		goto st872;
	goto st0;
st872:
	if ( ++p == pe )
		goto _test_eof872;
case 872:
	if ( (*p) == 103 )
		goto st873;
	goto st0;
st873:
	if ( ++p == pe )
		goto _test_eof873;
case 873:
	if ( (*p) == 117 )
		goto st874;
	goto st0;
st874:
	if ( ++p == pe )
		goto _test_eof874;
case 874:
	if ( (*p) == 116 )
		goto st875;
	goto st0;
st875:
	if ( ++p == pe )
		goto _test_eof875;
case 875:
	if ( (*p) == 117 )
		goto tr930;
	goto st0;
st876:
	if ( ++p == pe )
		goto _test_eof876;
case 876:
	if ( (*p) == 118 )
		goto st877;
	goto st0;
st877:
	if ( ++p == pe )
		goto _test_eof877;
case 877:
	if ( (*p) == 117 )
		goto st878;
	goto st0;
st878:
	if ( ++p == pe )
		goto _test_eof878;
case 878:
	if ( (*p) == 112 )
		goto st879;
	goto st0;
st879:
	if ( ++p == pe )
		goto _test_eof879;
case 879:
	if ( (*p) == 101 )
		goto st880;
	goto st0;
st880:
	if ( ++p == pe )
		goto _test_eof880;
case 880:
	if ( (*p) == 114 )
		goto st881;
	goto st0;
st881:
	if ( ++p == pe )
		goto _test_eof881;
case 881:
	if ( (*p) == 110 )
		goto st882;
	goto st0;
st882:
	if ( ++p == pe )
		goto _test_eof882;
case 882:
	if ( (*p) == 117 )
		goto st883;
	goto st0;
st883:
	if ( ++p == pe )
		goto _test_eof883;
case 883:
	if ( (*p) == 107 )
		goto st884;
	goto st0;
st884:
	if ( ++p == pe )
		goto _test_eof884;
case 884:
	if ( (*p) == 97 )
		goto st885;
	goto st0;
st885:
	if ( ++p == pe )
		goto _test_eof885;
case 885:
	if ( (*p) == 115 )
		goto st886;
	goto st0;
st886:
	if ( ++p == pe )
		goto _test_eof886;
case 886:
	if ( (*p) == 116 )
		goto st887;
	goto st0;
st887:
	if ( ++p == pe )
		goto _test_eof887;
case 887:
	if ( (*p) == 110 )
		goto st888;
	goto st0;
st888:
	if ( ++p == pe )
		goto _test_eof888;
case 888:
	if ( (*p) == 111 )
		goto st889;
	goto st0;
st889:
	if ( ++p == pe )
		goto _test_eof889;
case 889:
	if ( (*p) == 115 )
		goto st890;
	goto st0;
st890:
	if ( ++p == pe )
		goto _test_eof890;
case 890:
	if ( (*p) == 116 )
		goto st891;
	goto st0;
st891:
	if ( ++p == pe )
		goto _test_eof891;
case 891:
	if ( (*p) == 109 )
		goto st892;
	goto st0;
st892:
	if ( ++p == pe )
		goto _test_eof892;
case 892:
	if ( (*p) == 101 )
		goto st893;
	goto st0;
st893:
	if ( ++p == pe )
		goto _test_eof893;
case 893:
	if ( (*p) == 109 )
		goto st894;
	goto st0;
st894:
	if ( ++p == pe )
		goto _test_eof894;
case 894:
	if ( (*p) == 105 )
		goto tr949;
	goto st0;
st895:
	if ( ++p == pe )
		goto _test_eof895;
case 895:
	if ( (*p) == 97 )
		goto st896;
	goto st0;
st896:
	if ( ++p == pe )
		goto _test_eof896;
case 896:
	if ( (*p) == 115 )
		goto st897;
	goto st0;
st897:
	if ( ++p == pe )
		goto _test_eof897;
case 897:
	if ( (*p) == 97 )
		goto st898;
	goto st0;
st898:
	if ( ++p == pe )
		goto _test_eof898;
case 898:
	if ( (*p) == 114 )
		goto st899;
	goto st0;
st899:
	if ( ++p == pe )
		goto _test_eof899;
case 899:
	if ( (*p) == 103 )
		goto st900;
	goto st0;
st900:
	if ( ++p == pe )
		goto _test_eof900;
case 900:
	if ( (*p) == 101 )
		goto tr955;
	goto st0;
st901:
	if ( ++p == pe )
		goto _test_eof901;
case 901:
	switch( (*p) ) {
		case 97: goto st902;
		case 101: goto st929;
		case 105: goto st949;
		case 117: goto st959;
	}
	goto st0;
st902:
	if ( ++p == pe )
		goto _test_eof902;
case 902:
	switch( (*p) ) {
		case 112: goto st903;
		case 115: goto st912;
	}
	goto st0;
st903:
	if ( ++p == pe )
		goto _test_eof903;
case 903:
	if ( (*p) == 97 )
		goto st904;
	goto st0;
st904:
	if ( ++p == pe )
		goto _test_eof904;
case 904:
	if ( (*p) == 110 )
		goto st905;
	goto st0;
st905:
	if ( ++p == pe )
		goto _test_eof905;
case 905:
	if ( (*p) == 109 )
		goto st906;
	goto st0;
st906:
	if ( ++p == pe )
		goto _test_eof906;
case 906:
	if ( (*p) == 105 )
		goto st907;
	goto st0;
st907:
	if ( ++p == pe )
		goto _test_eof907;
case 907:
	if ( (*p) == 112 )
		goto st908;
	goto st0;
st908:
	if ( ++p == pe )
		goto _test_eof908;
case 908:
	if ( (*p) == 97 )
		goto st909;
	goto st0;
st909:
	if ( ++p == pe )
		goto _test_eof909;
case 909:
	if ( (*p) == 107 )
		goto st910;
	goto st0;
st910:
	if ( ++p == pe )
		goto _test_eof910;
case 910:
	if ( (*p) == 117 )
		goto st911;
	goto st0;
st911:
	if ( ++p == pe )
		goto _test_eof911;
case 911:
	if ( (*p) == 114 )
		goto tr970;
	goto st0;
st912:
	if ( ++p == pe )
		goto _test_eof912;
case 912:
	if ( (*p) == 116 )
		goto st913;
	goto st0;
st913:
	if ( ++p == pe )
		goto _test_eof913;
case 913:
	switch( (*p) ) {
		case 103: goto st914;
		case 122: goto st925;
	}
	goto st0;
st914:
	if ( ++p == pe )
		goto _test_eof914;
case 914:
	if ( (*p) == 101 )
		goto st915;
	goto st0;
st915:
	if ( ++p == pe )
		goto _test_eof915;
case 915:
	if ( (*p) == 114 )
		goto st916;
	goto st0;
st916:
	if ( ++p == pe )
		goto _test_eof916;
case 916:
	if ( (*p) == 100 )
		goto st917;
	goto st0;
st917:
	if ( ++p == pe )
		goto _test_eof917;
case 917:
	if ( (*p) == 117 )
		goto st918;
	goto st0;
st918:
	if ( ++p == pe )
		goto _test_eof918;
case 918:
	if ( (*p) == 108 )
		goto st919;
	goto st0;
st919:
	if ( ++p == pe )
		goto _test_eof919;
case 919:
	if ( (*p) == 105 )
		goto st920;
	goto st0;
st920:
	if ( ++p == pe )
		goto _test_eof920;
case 920:
	if ( (*p) == 112 )
		goto st921;
	goto st0;
st921:
	if ( ++p == pe )
		goto _test_eof921;
case 921:
	if ( (*p) == 101 )
		goto st922;
	goto st0;
st922:
	if ( ++p == pe )
		goto _test_eof922;
case 922:
	if ( (*p) == 112 )
		goto st923;
	goto st0;
st923:
	if ( ++p == pe )
		goto _test_eof923;
case 923:
	if ( (*p) == 105 )
		goto st924;
	goto st0;
st924:
	if ( ++p == pe )
		goto _test_eof924;
case 924:
	if ( (*p) == 114 )
		goto tr984;
	goto st0;
st925:
	if ( ++p == pe )
		goto _test_eof925;
case 925:
	if ( (*p) == 117 )
		goto st926;
	goto st0;
st926:
	if ( ++p == pe )
		goto _test_eof926;
case 926:
	if ( (*p) == 110 )
		goto st927;
	goto st0;
st927:
	if ( ++p == pe )
		goto _test_eof927;
case 927:
	if ( (*p) == 118 )
		goto st928;
	goto st0;
st928:
	if ( ++p == pe )
		goto _test_eof928;
case 928:
	if ( (*p) == 101 )
		goto tr988;
	goto st0;
st929:
	if ( ++p == pe )
		goto _test_eof929;
case 929:
	if ( (*p) == 114 )
		goto st930;
	goto st0;
st930:
	if ( ++p == pe )
		goto _test_eof930;
case 930:
	if ( (*p) == 102 )
		goto st931;
	goto st0;
st931:
	if ( ++p == pe )
		goto _test_eof931;
case 931:
	if ( (*p) == 97 )
		goto st932;
	goto st0;
st932:
	if ( ++p == pe )
		goto _test_eof932;
case 932:
	if ( (*p) == 115 )
		goto st933;
	goto st0;
st933:
	if ( ++p == pe )
		goto _test_eof933;
case 933:
	if ( (*p) == 116 )
		goto st934;
	goto st0;
st934:
	if ( ++p == pe )
		goto _test_eof934;
case 934:
	if ( (*p) == 114 )
		goto st935;
	goto st0;
st935:
	if ( ++p == pe )
		goto _test_eof935;
case 935:
	if ( (*p) == 111 )
		goto st936;
	goto st0;
st936:
	if ( ++p == pe )
		goto _test_eof936;
case 936:
	if ( (*p) == 110 )
		goto st937;
	goto st0;
st937:
	if ( ++p == pe )
		goto _test_eof937;
case 937:
	if ( (*p) == 100 )
		goto st938;
	goto st0;
st938:
	if ( ++p == pe )
		goto _test_eof938;
case 938:
	if ( (*p) == 111 )
		goto st939;
	goto st0;
st939:
	if ( ++p == pe )
		goto _test_eof939;
case 939:
	if ( (*p) == 115 )
		goto st940;
	goto st0;
st940:
	if ( ++p == pe )
		goto _test_eof940;
case 940:
	if ( (*p) == 117 )
		goto st941;
	goto st0;
st941:
	if ( ++p == pe )
		goto _test_eof941;
case 941:
	if ( (*p) == 110 )
		goto st942;
	goto st0;
st942:
	if ( ++p == pe )
		goto _test_eof942;
case 942:
	if ( (*p) == 122 )
		goto st943;
	goto st0;
st943:
	if ( ++p == pe )
		goto _test_eof943;
case 943:
	if ( (*p) == 117 )
		goto st944;
	goto st0;
st944:
	if ( ++p == pe )
		goto _test_eof944;
case 944:
	if ( (*p) == 114 )
		goto st945;
	goto st0;
st945:
	if ( ++p == pe )
		goto _test_eof945;
case 945:
	if ( (*p) == 97 )
		goto st946;
	goto st0;
st946:
	if ( ++p == pe )
		goto _test_eof946;
case 946:
	if ( (*p) == 114 )
		goto st947;
	goto st0;
st947:
	if ( ++p == pe )
		goto _test_eof947;
case 947:
	if ( (*p) == 115 )
		goto st948;
	goto st0;
st948:
	if ( ++p == pe )
		goto _test_eof948;
case 948:
	if ( (*p) == 101 )
		goto tr1008;
	goto st0;
st949:
	if ( ++p == pe )
		goto _test_eof949;
case 949:
	if ( (*p) == 110 )
		goto st950;
	goto st0;
st950:
	if ( ++p == pe )
		goto _test_eof950;
case 950:
	if ( (*p) == 105 )
		goto st951;
	goto st0;
st951:
	if ( ++p == pe )
		goto _test_eof951;
case 951:
	if ( (*p) == 110 )
		goto st952;
	goto st0;
st952:
	if ( ++p == pe )
		goto _test_eof952;
case 952:
	if ( (*p) == 122 )
		goto st953;
	goto st0;
st953:
	if ( ++p == pe )
		goto _test_eof953;
case 953:
	if ( (*p) == 117 )
		goto st954;
	goto st0;
st954:
	if ( ++p == pe )
		goto _test_eof954;
case 954:
	if ( (*p) == 103 )
		goto st955;
	goto st0;
st955:
	if ( ++p == pe )
		goto _test_eof955;
case 955:
	if ( (*p) == 101 )
		goto st956;
	goto st0;
st956:
	if ( ++p == pe )
		goto _test_eof956;
case 956:
	if ( (*p) == 103 )
		goto st957;
	goto st0;
st957:
	if ( ++p == pe )
		goto _test_eof957;
case 957:
	if ( (*p) == 97 )
		goto st958;
	goto st0;
st958:
	if ( ++p == pe )
		goto _test_eof958;
case 958:
	if ( (*p) == 114 )
		goto tr1018;
	goto st0;
st959:
	if ( ++p == pe )
		goto _test_eof959;
case 959:
	if ( (*p) == 110 )
		goto st960;
	goto st0;
st960:
	if ( ++p == pe )
		goto _test_eof960;
case 960:
	if ( (*p) == 109 )
		goto st961;
	goto st0;
st961:
	if ( ++p == pe )
		goto _test_eof961;
case 961:
	if ( (*p) == 97 )
		goto st962;
	goto st0;
st962:
	if ( ++p == pe )
		goto _test_eof962;
case 962:
	if ( (*p) == 108 )
		goto st963;
	goto st0;
st963:
	if ( ++p == pe )
		goto _test_eof963;
case 963:
	if ( (*p) == 97 )
		goto st964;
	goto st0;
st964:
	if ( ++p == pe )
		goto _test_eof964;
case 964:
	if ( (*p) == 115 )
		goto st965;
	goto st0;
st965:
	if ( ++p == pe )
		goto _test_eof965;
case 965:
	if ( (*p) == 116 )
		goto st966;
	goto st0;
st966:
	if ( ++p == pe )
		goto _test_eof966;
case 966:
	if ( (*p) == 116 )
		goto st967;
	goto st0;
st967:
	if ( ++p == pe )
		goto _test_eof967;
case 967:
	if ( (*p) == 117 )
		goto st968;
	goto st0;
st968:
	if ( ++p == pe )
		goto _test_eof968;
case 968:
	if ( (*p) == 115 )
		goto st969;
	goto st0;
st969:
	if ( ++p == pe )
		goto _test_eof969;
case 969:
	if ( (*p) == 116 )
		goto tr1029;
	goto st0;
	}
	_test_eof2: cs = 2; goto _test_eof; 
	_test_eof3: cs = 3; goto _test_eof; 
	_test_eof4: cs = 4; goto _test_eof; 
	_test_eof5: cs = 5; goto _test_eof; 
	_test_eof6: cs = 6; goto _test_eof; 
	_test_eof7: cs = 7; goto _test_eof; 
	_test_eof8: cs = 8; goto _test_eof; 
	_test_eof9: cs = 9; goto _test_eof; 
	_test_eof10: cs = 10; goto _test_eof; 
	_test_eof11: cs = 11; goto _test_eof; 
	_test_eof12: cs = 12; goto _test_eof; 
	_test_eof13: cs = 13; goto _test_eof; 
	_test_eof14: cs = 14; goto _test_eof; 
	_test_eof15: cs = 15; goto _test_eof; 
	_test_eof16: cs = 16; goto _test_eof; 
	_test_eof17: cs = 17; goto _test_eof; 
	_test_eof18: cs = 18; goto _test_eof; 
	_test_eof19: cs = 19; goto _test_eof; 
	_test_eof20: cs = 20; goto _test_eof; 
	_test_eof21: cs = 21; goto _test_eof; 
	_test_eof22: cs = 22; goto _test_eof; 
	_test_eof970: cs = 970; goto _test_eof; 
	_test_eof23: cs = 23; goto _test_eof; 
	_test_eof24: cs = 24; goto _test_eof; 
	_test_eof25: cs = 25; goto _test_eof; 
	_test_eof26: cs = 26; goto _test_eof; 
	_test_eof27: cs = 27; goto _test_eof; 
	_test_eof28: cs = 28; goto _test_eof; 
	_test_eof29: cs = 29; goto _test_eof; 
	_test_eof30: cs = 30; goto _test_eof; 
	_test_eof31: cs = 31; goto _test_eof; 
	_test_eof32: cs = 32; goto _test_eof; 
	_test_eof33: cs = 33; goto _test_eof; 
	_test_eof34: cs = 34; goto _test_eof; 
	_test_eof35: cs = 35; goto _test_eof; 
	_test_eof36: cs = 36; goto _test_eof; 
	_test_eof37: cs = 37; goto _test_eof; 
	_test_eof38: cs = 38; goto _test_eof; 
	_test_eof39: cs = 39; goto _test_eof; 
	_test_eof40: cs = 40; goto _test_eof; 
	_test_eof41: cs = 41; goto _test_eof; 
	_test_eof42: cs = 42; goto _test_eof; 
	_test_eof43: cs = 43; goto _test_eof; 
	_test_eof44: cs = 44; goto _test_eof; 
	_test_eof971: cs = 971; goto _test_eof; 
	_test_eof45: cs = 45; goto _test_eof; 
	_test_eof46: cs = 46; goto _test_eof; 
	_test_eof47: cs = 47; goto _test_eof; 
	_test_eof48: cs = 48; goto _test_eof; 
	_test_eof49: cs = 49; goto _test_eof; 
	_test_eof50: cs = 50; goto _test_eof; 
	_test_eof51: cs = 51; goto _test_eof; 
	_test_eof52: cs = 52; goto _test_eof; 
	_test_eof53: cs = 53; goto _test_eof; 
	_test_eof54: cs = 54; goto _test_eof; 
	_test_eof55: cs = 55; goto _test_eof; 
	_test_eof56: cs = 56; goto _test_eof; 
	_test_eof57: cs = 57; goto _test_eof; 
	_test_eof58: cs = 58; goto _test_eof; 
	_test_eof59: cs = 59; goto _test_eof; 
	_test_eof60: cs = 60; goto _test_eof; 
	_test_eof61: cs = 61; goto _test_eof; 
	_test_eof62: cs = 62; goto _test_eof; 
	_test_eof63: cs = 63; goto _test_eof; 
	_test_eof64: cs = 64; goto _test_eof; 
	_test_eof65: cs = 65; goto _test_eof; 
	_test_eof66: cs = 66; goto _test_eof; 
	_test_eof67: cs = 67; goto _test_eof; 
	_test_eof68: cs = 68; goto _test_eof; 
	_test_eof69: cs = 69; goto _test_eof; 
	_test_eof70: cs = 70; goto _test_eof; 
	_test_eof71: cs = 71; goto _test_eof; 
	_test_eof72: cs = 72; goto _test_eof; 
	_test_eof73: cs = 73; goto _test_eof; 
	_test_eof74: cs = 74; goto _test_eof; 
	_test_eof75: cs = 75; goto _test_eof; 
	_test_eof76: cs = 76; goto _test_eof; 
	_test_eof77: cs = 77; goto _test_eof; 
	_test_eof78: cs = 78; goto _test_eof; 
	_test_eof79: cs = 79; goto _test_eof; 
	_test_eof80: cs = 80; goto _test_eof; 
	_test_eof81: cs = 81; goto _test_eof; 
	_test_eof82: cs = 82; goto _test_eof; 
	_test_eof83: cs = 83; goto _test_eof; 
	_test_eof84: cs = 84; goto _test_eof; 
	_test_eof85: cs = 85; goto _test_eof; 
	_test_eof86: cs = 86; goto _test_eof; 
	_test_eof87: cs = 87; goto _test_eof; 
	_test_eof88: cs = 88; goto _test_eof; 
	_test_eof89: cs = 89; goto _test_eof; 
	_test_eof90: cs = 90; goto _test_eof; 
	_test_eof91: cs = 91; goto _test_eof; 
	_test_eof92: cs = 92; goto _test_eof; 
	_test_eof93: cs = 93; goto _test_eof; 
	_test_eof94: cs = 94; goto _test_eof; 
	_test_eof95: cs = 95; goto _test_eof; 
	_test_eof96: cs = 96; goto _test_eof; 
	_test_eof97: cs = 97; goto _test_eof; 
	_test_eof98: cs = 98; goto _test_eof; 
	_test_eof99: cs = 99; goto _test_eof; 
	_test_eof100: cs = 100; goto _test_eof; 
	_test_eof101: cs = 101; goto _test_eof; 
	_test_eof102: cs = 102; goto _test_eof; 
	_test_eof103: cs = 103; goto _test_eof; 
	_test_eof104: cs = 104; goto _test_eof; 
	_test_eof105: cs = 105; goto _test_eof; 
	_test_eof106: cs = 106; goto _test_eof; 
	_test_eof107: cs = 107; goto _test_eof; 
	_test_eof108: cs = 108; goto _test_eof; 
	_test_eof109: cs = 109; goto _test_eof; 
	_test_eof110: cs = 110; goto _test_eof; 
	_test_eof111: cs = 111; goto _test_eof; 
	_test_eof112: cs = 112; goto _test_eof; 
	_test_eof113: cs = 113; goto _test_eof; 
	_test_eof114: cs = 114; goto _test_eof; 
	_test_eof115: cs = 115; goto _test_eof; 
	_test_eof116: cs = 116; goto _test_eof; 
	_test_eof117: cs = 117; goto _test_eof; 
	_test_eof118: cs = 118; goto _test_eof; 
	_test_eof119: cs = 119; goto _test_eof; 
	_test_eof120: cs = 120; goto _test_eof; 
	_test_eof121: cs = 121; goto _test_eof; 
	_test_eof122: cs = 122; goto _test_eof; 
	_test_eof123: cs = 123; goto _test_eof; 
	_test_eof124: cs = 124; goto _test_eof; 
	_test_eof125: cs = 125; goto _test_eof; 
	_test_eof126: cs = 126; goto _test_eof; 
	_test_eof127: cs = 127; goto _test_eof; 
	_test_eof128: cs = 128; goto _test_eof; 
	_test_eof129: cs = 129; goto _test_eof; 
	_test_eof130: cs = 130; goto _test_eof; 
	_test_eof131: cs = 131; goto _test_eof; 
	_test_eof132: cs = 132; goto _test_eof; 
	_test_eof133: cs = 133; goto _test_eof; 
	_test_eof134: cs = 134; goto _test_eof; 
	_test_eof135: cs = 135; goto _test_eof; 
	_test_eof136: cs = 136; goto _test_eof; 
	_test_eof137: cs = 137; goto _test_eof; 
	_test_eof138: cs = 138; goto _test_eof; 
	_test_eof139: cs = 139; goto _test_eof; 
	_test_eof140: cs = 140; goto _test_eof; 
	_test_eof141: cs = 141; goto _test_eof; 
	_test_eof142: cs = 142; goto _test_eof; 
	_test_eof143: cs = 143; goto _test_eof; 
	_test_eof144: cs = 144; goto _test_eof; 
	_test_eof145: cs = 145; goto _test_eof; 
	_test_eof146: cs = 146; goto _test_eof; 
	_test_eof147: cs = 147; goto _test_eof; 
	_test_eof148: cs = 148; goto _test_eof; 
	_test_eof149: cs = 149; goto _test_eof; 
	_test_eof150: cs = 150; goto _test_eof; 
	_test_eof151: cs = 151; goto _test_eof; 
	_test_eof152: cs = 152; goto _test_eof; 
	_test_eof153: cs = 153; goto _test_eof; 
	_test_eof154: cs = 154; goto _test_eof; 
	_test_eof155: cs = 155; goto _test_eof; 
	_test_eof156: cs = 156; goto _test_eof; 
	_test_eof157: cs = 157; goto _test_eof; 
	_test_eof158: cs = 158; goto _test_eof; 
	_test_eof159: cs = 159; goto _test_eof; 
	_test_eof160: cs = 160; goto _test_eof; 
	_test_eof161: cs = 161; goto _test_eof; 
	_test_eof162: cs = 162; goto _test_eof; 
	_test_eof163: cs = 163; goto _test_eof; 
	_test_eof164: cs = 164; goto _test_eof; 
	_test_eof165: cs = 165; goto _test_eof; 
	_test_eof166: cs = 166; goto _test_eof; 
	_test_eof167: cs = 167; goto _test_eof; 
	_test_eof168: cs = 168; goto _test_eof; 
	_test_eof169: cs = 169; goto _test_eof; 
	_test_eof170: cs = 170; goto _test_eof; 
	_test_eof171: cs = 171; goto _test_eof; 
	_test_eof172: cs = 172; goto _test_eof; 
	_test_eof173: cs = 173; goto _test_eof; 
	_test_eof174: cs = 174; goto _test_eof; 
	_test_eof175: cs = 175; goto _test_eof; 
	_test_eof176: cs = 176; goto _test_eof; 
	_test_eof177: cs = 177; goto _test_eof; 
	_test_eof178: cs = 178; goto _test_eof; 
	_test_eof179: cs = 179; goto _test_eof; 
	_test_eof180: cs = 180; goto _test_eof; 
	_test_eof181: cs = 181; goto _test_eof; 
	_test_eof182: cs = 182; goto _test_eof; 
	_test_eof183: cs = 183; goto _test_eof; 
	_test_eof184: cs = 184; goto _test_eof; 
	_test_eof185: cs = 185; goto _test_eof; 
	_test_eof186: cs = 186; goto _test_eof; 
	_test_eof187: cs = 187; goto _test_eof; 
	_test_eof188: cs = 188; goto _test_eof; 
	_test_eof189: cs = 189; goto _test_eof; 
	_test_eof190: cs = 190; goto _test_eof; 
	_test_eof191: cs = 191; goto _test_eof; 
	_test_eof192: cs = 192; goto _test_eof; 
	_test_eof193: cs = 193; goto _test_eof; 
	_test_eof194: cs = 194; goto _test_eof; 
	_test_eof195: cs = 195; goto _test_eof; 
	_test_eof196: cs = 196; goto _test_eof; 
	_test_eof197: cs = 197; goto _test_eof; 
	_test_eof198: cs = 198; goto _test_eof; 
	_test_eof199: cs = 199; goto _test_eof; 
	_test_eof200: cs = 200; goto _test_eof; 
	_test_eof201: cs = 201; goto _test_eof; 
	_test_eof202: cs = 202; goto _test_eof; 
	_test_eof203: cs = 203; goto _test_eof; 
	_test_eof204: cs = 204; goto _test_eof; 
	_test_eof205: cs = 205; goto _test_eof; 
	_test_eof206: cs = 206; goto _test_eof; 
	_test_eof207: cs = 207; goto _test_eof; 
	_test_eof208: cs = 208; goto _test_eof; 
	_test_eof209: cs = 209; goto _test_eof; 
	_test_eof210: cs = 210; goto _test_eof; 
	_test_eof211: cs = 211; goto _test_eof; 
	_test_eof212: cs = 212; goto _test_eof; 
	_test_eof213: cs = 213; goto _test_eof; 
	_test_eof214: cs = 214; goto _test_eof; 
	_test_eof215: cs = 215; goto _test_eof; 
	_test_eof216: cs = 216; goto _test_eof; 
	_test_eof217: cs = 217; goto _test_eof; 
	_test_eof218: cs = 218; goto _test_eof; 
	_test_eof219: cs = 219; goto _test_eof; 
	_test_eof220: cs = 220; goto _test_eof; 
	_test_eof221: cs = 221; goto _test_eof; 
	_test_eof222: cs = 222; goto _test_eof; 
	_test_eof223: cs = 223; goto _test_eof; 
	_test_eof224: cs = 224; goto _test_eof; 
	_test_eof225: cs = 225; goto _test_eof; 
	_test_eof226: cs = 226; goto _test_eof; 
	_test_eof227: cs = 227; goto _test_eof; 
	_test_eof228: cs = 228; goto _test_eof; 
	_test_eof229: cs = 229; goto _test_eof; 
	_test_eof230: cs = 230; goto _test_eof; 
	_test_eof231: cs = 231; goto _test_eof; 
	_test_eof232: cs = 232; goto _test_eof; 
	_test_eof233: cs = 233; goto _test_eof; 
	_test_eof234: cs = 234; goto _test_eof; 
	_test_eof235: cs = 235; goto _test_eof; 
	_test_eof236: cs = 236; goto _test_eof; 
	_test_eof237: cs = 237; goto _test_eof; 
	_test_eof238: cs = 238; goto _test_eof; 
	_test_eof239: cs = 239; goto _test_eof; 
	_test_eof240: cs = 240; goto _test_eof; 
	_test_eof241: cs = 241; goto _test_eof; 
	_test_eof242: cs = 242; goto _test_eof; 
	_test_eof243: cs = 243; goto _test_eof; 
	_test_eof244: cs = 244; goto _test_eof; 
	_test_eof245: cs = 245; goto _test_eof; 
	_test_eof246: cs = 246; goto _test_eof; 
	_test_eof247: cs = 247; goto _test_eof; 
	_test_eof248: cs = 248; goto _test_eof; 
	_test_eof249: cs = 249; goto _test_eof; 
	_test_eof250: cs = 250; goto _test_eof; 
	_test_eof251: cs = 251; goto _test_eof; 
	_test_eof252: cs = 252; goto _test_eof; 
	_test_eof253: cs = 253; goto _test_eof; 
	_test_eof254: cs = 254; goto _test_eof; 
	_test_eof255: cs = 255; goto _test_eof; 
	_test_eof256: cs = 256; goto _test_eof; 
	_test_eof257: cs = 257; goto _test_eof; 
	_test_eof258: cs = 258; goto _test_eof; 
	_test_eof259: cs = 259; goto _test_eof; 
	_test_eof260: cs = 260; goto _test_eof; 
	_test_eof261: cs = 261; goto _test_eof; 
	_test_eof262: cs = 262; goto _test_eof; 
	_test_eof263: cs = 263; goto _test_eof; 
	_test_eof264: cs = 264; goto _test_eof; 
	_test_eof265: cs = 265; goto _test_eof; 
	_test_eof266: cs = 266; goto _test_eof; 
	_test_eof267: cs = 267; goto _test_eof; 
	_test_eof268: cs = 268; goto _test_eof; 
	_test_eof269: cs = 269; goto _test_eof; 
	_test_eof270: cs = 270; goto _test_eof; 
	_test_eof271: cs = 271; goto _test_eof; 
	_test_eof272: cs = 272; goto _test_eof; 
	_test_eof273: cs = 273; goto _test_eof; 
	_test_eof274: cs = 274; goto _test_eof; 
	_test_eof275: cs = 275; goto _test_eof; 
	_test_eof276: cs = 276; goto _test_eof; 
	_test_eof277: cs = 277; goto _test_eof; 
	_test_eof278: cs = 278; goto _test_eof; 
	_test_eof279: cs = 279; goto _test_eof; 
	_test_eof280: cs = 280; goto _test_eof; 
	_test_eof281: cs = 281; goto _test_eof; 
	_test_eof282: cs = 282; goto _test_eof; 
	_test_eof283: cs = 283; goto _test_eof; 
	_test_eof284: cs = 284; goto _test_eof; 
	_test_eof285: cs = 285; goto _test_eof; 
	_test_eof286: cs = 286; goto _test_eof; 
	_test_eof287: cs = 287; goto _test_eof; 
	_test_eof288: cs = 288; goto _test_eof; 
	_test_eof289: cs = 289; goto _test_eof; 
	_test_eof290: cs = 290; goto _test_eof; 
	_test_eof291: cs = 291; goto _test_eof; 
	_test_eof292: cs = 292; goto _test_eof; 
	_test_eof293: cs = 293; goto _test_eof; 
	_test_eof294: cs = 294; goto _test_eof; 
	_test_eof295: cs = 295; goto _test_eof; 
	_test_eof296: cs = 296; goto _test_eof; 
	_test_eof297: cs = 297; goto _test_eof; 
	_test_eof298: cs = 298; goto _test_eof; 
	_test_eof299: cs = 299; goto _test_eof; 
	_test_eof300: cs = 300; goto _test_eof; 
	_test_eof301: cs = 301; goto _test_eof; 
	_test_eof302: cs = 302; goto _test_eof; 
	_test_eof303: cs = 303; goto _test_eof; 
	_test_eof304: cs = 304; goto _test_eof; 
	_test_eof305: cs = 305; goto _test_eof; 
	_test_eof306: cs = 306; goto _test_eof; 
	_test_eof307: cs = 307; goto _test_eof; 
	_test_eof308: cs = 308; goto _test_eof; 
	_test_eof309: cs = 309; goto _test_eof; 
	_test_eof310: cs = 310; goto _test_eof; 
	_test_eof311: cs = 311; goto _test_eof; 
	_test_eof312: cs = 312; goto _test_eof; 
	_test_eof313: cs = 313; goto _test_eof; 
	_test_eof314: cs = 314; goto _test_eof; 
	_test_eof315: cs = 315; goto _test_eof; 
	_test_eof316: cs = 316; goto _test_eof; 
	_test_eof317: cs = 317; goto _test_eof; 
	_test_eof318: cs = 318; goto _test_eof; 
	_test_eof319: cs = 319; goto _test_eof; 
	_test_eof320: cs = 320; goto _test_eof; 
	_test_eof321: cs = 321; goto _test_eof; 
	_test_eof322: cs = 322; goto _test_eof; 
	_test_eof323: cs = 323; goto _test_eof; 
	_test_eof324: cs = 324; goto _test_eof; 
	_test_eof325: cs = 325; goto _test_eof; 
	_test_eof326: cs = 326; goto _test_eof; 
	_test_eof327: cs = 327; goto _test_eof; 
	_test_eof328: cs = 328; goto _test_eof; 
	_test_eof329: cs = 329; goto _test_eof; 
	_test_eof330: cs = 330; goto _test_eof; 
	_test_eof331: cs = 331; goto _test_eof; 
	_test_eof332: cs = 332; goto _test_eof; 
	_test_eof333: cs = 333; goto _test_eof; 
	_test_eof334: cs = 334; goto _test_eof; 
	_test_eof335: cs = 335; goto _test_eof; 
	_test_eof336: cs = 336; goto _test_eof; 
	_test_eof337: cs = 337; goto _test_eof; 
	_test_eof338: cs = 338; goto _test_eof; 
	_test_eof339: cs = 339; goto _test_eof; 
	_test_eof340: cs = 340; goto _test_eof; 
	_test_eof341: cs = 341; goto _test_eof; 
	_test_eof342: cs = 342; goto _test_eof; 
	_test_eof343: cs = 343; goto _test_eof; 
	_test_eof344: cs = 344; goto _test_eof; 
	_test_eof345: cs = 345; goto _test_eof; 
	_test_eof346: cs = 346; goto _test_eof; 
	_test_eof347: cs = 347; goto _test_eof; 
	_test_eof348: cs = 348; goto _test_eof; 
	_test_eof349: cs = 349; goto _test_eof; 
	_test_eof350: cs = 350; goto _test_eof; 
	_test_eof351: cs = 351; goto _test_eof; 
	_test_eof352: cs = 352; goto _test_eof; 
	_test_eof353: cs = 353; goto _test_eof; 
	_test_eof354: cs = 354; goto _test_eof; 
	_test_eof355: cs = 355; goto _test_eof; 
	_test_eof356: cs = 356; goto _test_eof; 
	_test_eof357: cs = 357; goto _test_eof; 
	_test_eof358: cs = 358; goto _test_eof; 
	_test_eof359: cs = 359; goto _test_eof; 
	_test_eof360: cs = 360; goto _test_eof; 
	_test_eof361: cs = 361; goto _test_eof; 
	_test_eof362: cs = 362; goto _test_eof; 
	_test_eof363: cs = 363; goto _test_eof; 
	_test_eof364: cs = 364; goto _test_eof; 
	_test_eof365: cs = 365; goto _test_eof; 
	_test_eof366: cs = 366; goto _test_eof; 
	_test_eof367: cs = 367; goto _test_eof; 
	_test_eof368: cs = 368; goto _test_eof; 
	_test_eof369: cs = 369; goto _test_eof; 
	_test_eof370: cs = 370; goto _test_eof; 
	_test_eof371: cs = 371; goto _test_eof; 
	_test_eof372: cs = 372; goto _test_eof; 
	_test_eof373: cs = 373; goto _test_eof; 
	_test_eof374: cs = 374; goto _test_eof; 
	_test_eof375: cs = 375; goto _test_eof; 
	_test_eof376: cs = 376; goto _test_eof; 
	_test_eof377: cs = 377; goto _test_eof; 
	_test_eof378: cs = 378; goto _test_eof; 
	_test_eof379: cs = 379; goto _test_eof; 
	_test_eof380: cs = 380; goto _test_eof; 
	_test_eof381: cs = 381; goto _test_eof; 
	_test_eof382: cs = 382; goto _test_eof; 
	_test_eof383: cs = 383; goto _test_eof; 
	_test_eof384: cs = 384; goto _test_eof; 
	_test_eof385: cs = 385; goto _test_eof; 
	_test_eof386: cs = 386; goto _test_eof; 
	_test_eof387: cs = 387; goto _test_eof; 
	_test_eof388: cs = 388; goto _test_eof; 
	_test_eof389: cs = 389; goto _test_eof; 
	_test_eof390: cs = 390; goto _test_eof; 
	_test_eof391: cs = 391; goto _test_eof; 
	_test_eof392: cs = 392; goto _test_eof; 
	_test_eof393: cs = 393; goto _test_eof; 
	_test_eof394: cs = 394; goto _test_eof; 
	_test_eof395: cs = 395; goto _test_eof; 
	_test_eof396: cs = 396; goto _test_eof; 
	_test_eof397: cs = 397; goto _test_eof; 
	_test_eof398: cs = 398; goto _test_eof; 
	_test_eof399: cs = 399; goto _test_eof; 
	_test_eof400: cs = 400; goto _test_eof; 
	_test_eof401: cs = 401; goto _test_eof; 
	_test_eof402: cs = 402; goto _test_eof; 
	_test_eof403: cs = 403; goto _test_eof; 
	_test_eof404: cs = 404; goto _test_eof; 
	_test_eof405: cs = 405; goto _test_eof; 
	_test_eof406: cs = 406; goto _test_eof; 
	_test_eof407: cs = 407; goto _test_eof; 
	_test_eof408: cs = 408; goto _test_eof; 
	_test_eof409: cs = 409; goto _test_eof; 
	_test_eof410: cs = 410; goto _test_eof; 
	_test_eof411: cs = 411; goto _test_eof; 
	_test_eof412: cs = 412; goto _test_eof; 
	_test_eof413: cs = 413; goto _test_eof; 
	_test_eof414: cs = 414; goto _test_eof; 
	_test_eof415: cs = 415; goto _test_eof; 
	_test_eof416: cs = 416; goto _test_eof; 
	_test_eof417: cs = 417; goto _test_eof; 
	_test_eof418: cs = 418; goto _test_eof; 
	_test_eof419: cs = 419; goto _test_eof; 
	_test_eof420: cs = 420; goto _test_eof; 
	_test_eof421: cs = 421; goto _test_eof; 
	_test_eof422: cs = 422; goto _test_eof; 
	_test_eof423: cs = 423; goto _test_eof; 
	_test_eof424: cs = 424; goto _test_eof; 
	_test_eof425: cs = 425; goto _test_eof; 
	_test_eof426: cs = 426; goto _test_eof; 
	_test_eof427: cs = 427; goto _test_eof; 
	_test_eof428: cs = 428; goto _test_eof; 
	_test_eof429: cs = 429; goto _test_eof; 
	_test_eof430: cs = 430; goto _test_eof; 
	_test_eof431: cs = 431; goto _test_eof; 
	_test_eof432: cs = 432; goto _test_eof; 
	_test_eof433: cs = 433; goto _test_eof; 
	_test_eof434: cs = 434; goto _test_eof; 
	_test_eof435: cs = 435; goto _test_eof; 
	_test_eof436: cs = 436; goto _test_eof; 
	_test_eof437: cs = 437; goto _test_eof; 
	_test_eof438: cs = 438; goto _test_eof; 
	_test_eof439: cs = 439; goto _test_eof; 
	_test_eof440: cs = 440; goto _test_eof; 
	_test_eof441: cs = 441; goto _test_eof; 
	_test_eof442: cs = 442; goto _test_eof; 
	_test_eof443: cs = 443; goto _test_eof; 
	_test_eof444: cs = 444; goto _test_eof; 
	_test_eof445: cs = 445; goto _test_eof; 
	_test_eof446: cs = 446; goto _test_eof; 
	_test_eof447: cs = 447; goto _test_eof; 
	_test_eof448: cs = 448; goto _test_eof; 
	_test_eof449: cs = 449; goto _test_eof; 
	_test_eof450: cs = 450; goto _test_eof; 
	_test_eof451: cs = 451; goto _test_eof; 
	_test_eof452: cs = 452; goto _test_eof; 
	_test_eof453: cs = 453; goto _test_eof; 
	_test_eof454: cs = 454; goto _test_eof; 
	_test_eof455: cs = 455; goto _test_eof; 
	_test_eof456: cs = 456; goto _test_eof; 
	_test_eof457: cs = 457; goto _test_eof; 
	_test_eof458: cs = 458; goto _test_eof; 
	_test_eof459: cs = 459; goto _test_eof; 
	_test_eof460: cs = 460; goto _test_eof; 
	_test_eof461: cs = 461; goto _test_eof; 
	_test_eof462: cs = 462; goto _test_eof; 
	_test_eof463: cs = 463; goto _test_eof; 
	_test_eof464: cs = 464; goto _test_eof; 
	_test_eof465: cs = 465; goto _test_eof; 
	_test_eof466: cs = 466; goto _test_eof; 
	_test_eof467: cs = 467; goto _test_eof; 
	_test_eof468: cs = 468; goto _test_eof; 
	_test_eof469: cs = 469; goto _test_eof; 
	_test_eof470: cs = 470; goto _test_eof; 
	_test_eof471: cs = 471; goto _test_eof; 
	_test_eof472: cs = 472; goto _test_eof; 
	_test_eof473: cs = 473; goto _test_eof; 
	_test_eof474: cs = 474; goto _test_eof; 
	_test_eof475: cs = 475; goto _test_eof; 
	_test_eof476: cs = 476; goto _test_eof; 
	_test_eof477: cs = 477; goto _test_eof; 
	_test_eof478: cs = 478; goto _test_eof; 
	_test_eof479: cs = 479; goto _test_eof; 
	_test_eof480: cs = 480; goto _test_eof; 
	_test_eof481: cs = 481; goto _test_eof; 
	_test_eof482: cs = 482; goto _test_eof; 
	_test_eof483: cs = 483; goto _test_eof; 
	_test_eof484: cs = 484; goto _test_eof; 
	_test_eof485: cs = 485; goto _test_eof; 
	_test_eof486: cs = 486; goto _test_eof; 
	_test_eof487: cs = 487; goto _test_eof; 
	_test_eof488: cs = 488; goto _test_eof; 
	_test_eof489: cs = 489; goto _test_eof; 
	_test_eof490: cs = 490; goto _test_eof; 
	_test_eof491: cs = 491; goto _test_eof; 
	_test_eof492: cs = 492; goto _test_eof; 
	_test_eof493: cs = 493; goto _test_eof; 
	_test_eof494: cs = 494; goto _test_eof; 
	_test_eof495: cs = 495; goto _test_eof; 
	_test_eof496: cs = 496; goto _test_eof; 
	_test_eof497: cs = 497; goto _test_eof; 
	_test_eof498: cs = 498; goto _test_eof; 
	_test_eof499: cs = 499; goto _test_eof; 
	_test_eof500: cs = 500; goto _test_eof; 
	_test_eof501: cs = 501; goto _test_eof; 
	_test_eof502: cs = 502; goto _test_eof; 
	_test_eof503: cs = 503; goto _test_eof; 
	_test_eof504: cs = 504; goto _test_eof; 
	_test_eof505: cs = 505; goto _test_eof; 
	_test_eof506: cs = 506; goto _test_eof; 
	_test_eof507: cs = 507; goto _test_eof; 
	_test_eof508: cs = 508; goto _test_eof; 
	_test_eof509: cs = 509; goto _test_eof; 
	_test_eof510: cs = 510; goto _test_eof; 
	_test_eof511: cs = 511; goto _test_eof; 
	_test_eof512: cs = 512; goto _test_eof; 
	_test_eof513: cs = 513; goto _test_eof; 
	_test_eof514: cs = 514; goto _test_eof; 
	_test_eof515: cs = 515; goto _test_eof; 
	_test_eof516: cs = 516; goto _test_eof; 
	_test_eof517: cs = 517; goto _test_eof; 
	_test_eof518: cs = 518; goto _test_eof; 
	_test_eof519: cs = 519; goto _test_eof; 
	_test_eof520: cs = 520; goto _test_eof; 
	_test_eof521: cs = 521; goto _test_eof; 
	_test_eof522: cs = 522; goto _test_eof; 
	_test_eof523: cs = 523; goto _test_eof; 
	_test_eof524: cs = 524; goto _test_eof; 
	_test_eof525: cs = 525; goto _test_eof; 
	_test_eof526: cs = 526; goto _test_eof; 
	_test_eof527: cs = 527; goto _test_eof; 
	_test_eof528: cs = 528; goto _test_eof; 
	_test_eof529: cs = 529; goto _test_eof; 
	_test_eof530: cs = 530; goto _test_eof; 
	_test_eof531: cs = 531; goto _test_eof; 
	_test_eof532: cs = 532; goto _test_eof; 
	_test_eof533: cs = 533; goto _test_eof; 
	_test_eof534: cs = 534; goto _test_eof; 
	_test_eof535: cs = 535; goto _test_eof; 
	_test_eof536: cs = 536; goto _test_eof; 
	_test_eof537: cs = 537; goto _test_eof; 
	_test_eof538: cs = 538; goto _test_eof; 
	_test_eof539: cs = 539; goto _test_eof; 
	_test_eof540: cs = 540; goto _test_eof; 
	_test_eof541: cs = 541; goto _test_eof; 
	_test_eof542: cs = 542; goto _test_eof; 
	_test_eof543: cs = 543; goto _test_eof; 
	_test_eof544: cs = 544; goto _test_eof; 
	_test_eof545: cs = 545; goto _test_eof; 
	_test_eof546: cs = 546; goto _test_eof; 
	_test_eof547: cs = 547; goto _test_eof; 
	_test_eof548: cs = 548; goto _test_eof; 
	_test_eof549: cs = 549; goto _test_eof; 
	_test_eof550: cs = 550; goto _test_eof; 
	_test_eof551: cs = 551; goto _test_eof; 
	_test_eof552: cs = 552; goto _test_eof; 
	_test_eof553: cs = 553; goto _test_eof; 
	_test_eof554: cs = 554; goto _test_eof; 
	_test_eof555: cs = 555; goto _test_eof; 
	_test_eof556: cs = 556; goto _test_eof; 
	_test_eof557: cs = 557; goto _test_eof; 
	_test_eof558: cs = 558; goto _test_eof; 
	_test_eof559: cs = 559; goto _test_eof; 
	_test_eof560: cs = 560; goto _test_eof; 
	_test_eof561: cs = 561; goto _test_eof; 
	_test_eof562: cs = 562; goto _test_eof; 
	_test_eof563: cs = 563; goto _test_eof; 
	_test_eof564: cs = 564; goto _test_eof; 
	_test_eof565: cs = 565; goto _test_eof; 
	_test_eof566: cs = 566; goto _test_eof; 
	_test_eof567: cs = 567; goto _test_eof; 
	_test_eof568: cs = 568; goto _test_eof; 
	_test_eof569: cs = 569; goto _test_eof; 
	_test_eof570: cs = 570; goto _test_eof; 
	_test_eof571: cs = 571; goto _test_eof; 
	_test_eof572: cs = 572; goto _test_eof; 
	_test_eof573: cs = 573; goto _test_eof; 
	_test_eof574: cs = 574; goto _test_eof; 
	_test_eof575: cs = 575; goto _test_eof; 
	_test_eof576: cs = 576; goto _test_eof; 
	_test_eof577: cs = 577; goto _test_eof; 
	_test_eof578: cs = 578; goto _test_eof; 
	_test_eof579: cs = 579; goto _test_eof; 
	_test_eof580: cs = 580; goto _test_eof; 
	_test_eof581: cs = 581; goto _test_eof; 
	_test_eof582: cs = 582; goto _test_eof; 
	_test_eof583: cs = 583; goto _test_eof; 
	_test_eof584: cs = 584; goto _test_eof; 
	_test_eof585: cs = 585; goto _test_eof; 
	_test_eof586: cs = 586; goto _test_eof; 
	_test_eof587: cs = 587; goto _test_eof; 
	_test_eof588: cs = 588; goto _test_eof; 
	_test_eof589: cs = 589; goto _test_eof; 
	_test_eof590: cs = 590; goto _test_eof; 
	_test_eof591: cs = 591; goto _test_eof; 
	_test_eof592: cs = 592; goto _test_eof; 
	_test_eof593: cs = 593; goto _test_eof; 
	_test_eof594: cs = 594; goto _test_eof; 
	_test_eof595: cs = 595; goto _test_eof; 
	_test_eof596: cs = 596; goto _test_eof; 
	_test_eof597: cs = 597; goto _test_eof; 
	_test_eof598: cs = 598; goto _test_eof; 
	_test_eof599: cs = 599; goto _test_eof; 
	_test_eof600: cs = 600; goto _test_eof; 
	_test_eof601: cs = 601; goto _test_eof; 
	_test_eof602: cs = 602; goto _test_eof; 
	_test_eof603: cs = 603; goto _test_eof; 
	_test_eof604: cs = 604; goto _test_eof; 
	_test_eof605: cs = 605; goto _test_eof; 
	_test_eof606: cs = 606; goto _test_eof; 
	_test_eof607: cs = 607; goto _test_eof; 
	_test_eof608: cs = 608; goto _test_eof; 
	_test_eof609: cs = 609; goto _test_eof; 
	_test_eof610: cs = 610; goto _test_eof; 
	_test_eof611: cs = 611; goto _test_eof; 
	_test_eof612: cs = 612; goto _test_eof; 
	_test_eof613: cs = 613; goto _test_eof; 
	_test_eof614: cs = 614; goto _test_eof; 
	_test_eof615: cs = 615; goto _test_eof; 
	_test_eof616: cs = 616; goto _test_eof; 
	_test_eof617: cs = 617; goto _test_eof; 
	_test_eof618: cs = 618; goto _test_eof; 
	_test_eof619: cs = 619; goto _test_eof; 
	_test_eof620: cs = 620; goto _test_eof; 
	_test_eof621: cs = 621; goto _test_eof; 
	_test_eof622: cs = 622; goto _test_eof; 
	_test_eof623: cs = 623; goto _test_eof; 
	_test_eof624: cs = 624; goto _test_eof; 
	_test_eof625: cs = 625; goto _test_eof; 
	_test_eof626: cs = 626; goto _test_eof; 
	_test_eof627: cs = 627; goto _test_eof; 
	_test_eof628: cs = 628; goto _test_eof; 
	_test_eof629: cs = 629; goto _test_eof; 
	_test_eof630: cs = 630; goto _test_eof; 
	_test_eof631: cs = 631; goto _test_eof; 
	_test_eof632: cs = 632; goto _test_eof; 
	_test_eof633: cs = 633; goto _test_eof; 
	_test_eof634: cs = 634; goto _test_eof; 
	_test_eof635: cs = 635; goto _test_eof; 
	_test_eof636: cs = 636; goto _test_eof; 
	_test_eof637: cs = 637; goto _test_eof; 
	_test_eof638: cs = 638; goto _test_eof; 
	_test_eof639: cs = 639; goto _test_eof; 
	_test_eof640: cs = 640; goto _test_eof; 
	_test_eof641: cs = 641; goto _test_eof; 
	_test_eof642: cs = 642; goto _test_eof; 
	_test_eof643: cs = 643; goto _test_eof; 
	_test_eof644: cs = 644; goto _test_eof; 
	_test_eof645: cs = 645; goto _test_eof; 
	_test_eof646: cs = 646; goto _test_eof; 
	_test_eof647: cs = 647; goto _test_eof; 
	_test_eof648: cs = 648; goto _test_eof; 
	_test_eof649: cs = 649; goto _test_eof; 
	_test_eof650: cs = 650; goto _test_eof; 
	_test_eof651: cs = 651; goto _test_eof; 
	_test_eof652: cs = 652; goto _test_eof; 
	_test_eof653: cs = 653; goto _test_eof; 
	_test_eof654: cs = 654; goto _test_eof; 
	_test_eof655: cs = 655; goto _test_eof; 
	_test_eof656: cs = 656; goto _test_eof; 
	_test_eof657: cs = 657; goto _test_eof; 
	_test_eof658: cs = 658; goto _test_eof; 
	_test_eof659: cs = 659; goto _test_eof; 
	_test_eof660: cs = 660; goto _test_eof; 
	_test_eof661: cs = 661; goto _test_eof; 
	_test_eof662: cs = 662; goto _test_eof; 
	_test_eof663: cs = 663; goto _test_eof; 
	_test_eof664: cs = 664; goto _test_eof; 
	_test_eof665: cs = 665; goto _test_eof; 
	_test_eof666: cs = 666; goto _test_eof; 
	_test_eof667: cs = 667; goto _test_eof; 
	_test_eof668: cs = 668; goto _test_eof; 
	_test_eof669: cs = 669; goto _test_eof; 
	_test_eof670: cs = 670; goto _test_eof; 
	_test_eof671: cs = 671; goto _test_eof; 
	_test_eof672: cs = 672; goto _test_eof; 
	_test_eof673: cs = 673; goto _test_eof; 
	_test_eof674: cs = 674; goto _test_eof; 
	_test_eof675: cs = 675; goto _test_eof; 
	_test_eof676: cs = 676; goto _test_eof; 
	_test_eof677: cs = 677; goto _test_eof; 
	_test_eof678: cs = 678; goto _test_eof; 
	_test_eof679: cs = 679; goto _test_eof; 
	_test_eof680: cs = 680; goto _test_eof; 
	_test_eof681: cs = 681; goto _test_eof; 
	_test_eof682: cs = 682; goto _test_eof; 
	_test_eof683: cs = 683; goto _test_eof; 
	_test_eof684: cs = 684; goto _test_eof; 
	_test_eof685: cs = 685; goto _test_eof; 
	_test_eof686: cs = 686; goto _test_eof; 
	_test_eof687: cs = 687; goto _test_eof; 
	_test_eof688: cs = 688; goto _test_eof; 
	_test_eof689: cs = 689; goto _test_eof; 
	_test_eof690: cs = 690; goto _test_eof; 
	_test_eof691: cs = 691; goto _test_eof; 
	_test_eof692: cs = 692; goto _test_eof; 
	_test_eof693: cs = 693; goto _test_eof; 
	_test_eof694: cs = 694; goto _test_eof; 
	_test_eof695: cs = 695; goto _test_eof; 
	_test_eof696: cs = 696; goto _test_eof; 
	_test_eof697: cs = 697; goto _test_eof; 
	_test_eof698: cs = 698; goto _test_eof; 
	_test_eof699: cs = 699; goto _test_eof; 
	_test_eof700: cs = 700; goto _test_eof; 
	_test_eof701: cs = 701; goto _test_eof; 
	_test_eof702: cs = 702; goto _test_eof; 
	_test_eof703: cs = 703; goto _test_eof; 
	_test_eof704: cs = 704; goto _test_eof; 
	_test_eof705: cs = 705; goto _test_eof; 
	_test_eof706: cs = 706; goto _test_eof; 
	_test_eof707: cs = 707; goto _test_eof; 
	_test_eof708: cs = 708; goto _test_eof; 
	_test_eof709: cs = 709; goto _test_eof; 
	_test_eof710: cs = 710; goto _test_eof; 
	_test_eof711: cs = 711; goto _test_eof; 
	_test_eof712: cs = 712; goto _test_eof; 
	_test_eof713: cs = 713; goto _test_eof; 
	_test_eof714: cs = 714; goto _test_eof; 
	_test_eof715: cs = 715; goto _test_eof; 
	_test_eof716: cs = 716; goto _test_eof; 
	_test_eof717: cs = 717; goto _test_eof; 
	_test_eof718: cs = 718; goto _test_eof; 
	_test_eof719: cs = 719; goto _test_eof; 
	_test_eof720: cs = 720; goto _test_eof; 
	_test_eof721: cs = 721; goto _test_eof; 
	_test_eof722: cs = 722; goto _test_eof; 
	_test_eof723: cs = 723; goto _test_eof; 
	_test_eof724: cs = 724; goto _test_eof; 
	_test_eof725: cs = 725; goto _test_eof; 
	_test_eof726: cs = 726; goto _test_eof; 
	_test_eof727: cs = 727; goto _test_eof; 
	_test_eof728: cs = 728; goto _test_eof; 
	_test_eof729: cs = 729; goto _test_eof; 
	_test_eof730: cs = 730; goto _test_eof; 
	_test_eof731: cs = 731; goto _test_eof; 
	_test_eof732: cs = 732; goto _test_eof; 
	_test_eof733: cs = 733; goto _test_eof; 
	_test_eof734: cs = 734; goto _test_eof; 
	_test_eof735: cs = 735; goto _test_eof; 
	_test_eof736: cs = 736; goto _test_eof; 
	_test_eof737: cs = 737; goto _test_eof; 
	_test_eof738: cs = 738; goto _test_eof; 
	_test_eof739: cs = 739; goto _test_eof; 
	_test_eof740: cs = 740; goto _test_eof; 
	_test_eof741: cs = 741; goto _test_eof; 
	_test_eof742: cs = 742; goto _test_eof; 
	_test_eof743: cs = 743; goto _test_eof; 
	_test_eof744: cs = 744; goto _test_eof; 
	_test_eof745: cs = 745; goto _test_eof; 
	_test_eof746: cs = 746; goto _test_eof; 
	_test_eof747: cs = 747; goto _test_eof; 
	_test_eof748: cs = 748; goto _test_eof; 
	_test_eof749: cs = 749; goto _test_eof; 
	_test_eof750: cs = 750; goto _test_eof; 
	_test_eof751: cs = 751; goto _test_eof; 
	_test_eof752: cs = 752; goto _test_eof; 
	_test_eof753: cs = 753; goto _test_eof; 
	_test_eof754: cs = 754; goto _test_eof; 
	_test_eof755: cs = 755; goto _test_eof; 
	_test_eof756: cs = 756; goto _test_eof; 
	_test_eof757: cs = 757; goto _test_eof; 
	_test_eof758: cs = 758; goto _test_eof; 
	_test_eof759: cs = 759; goto _test_eof; 
	_test_eof760: cs = 760; goto _test_eof; 
	_test_eof761: cs = 761; goto _test_eof; 
	_test_eof762: cs = 762; goto _test_eof; 
	_test_eof763: cs = 763; goto _test_eof; 
	_test_eof764: cs = 764; goto _test_eof; 
	_test_eof765: cs = 765; goto _test_eof; 
	_test_eof766: cs = 766; goto _test_eof; 
	_test_eof767: cs = 767; goto _test_eof; 
	_test_eof768: cs = 768; goto _test_eof; 
	_test_eof769: cs = 769; goto _test_eof; 
	_test_eof770: cs = 770; goto _test_eof; 
	_test_eof771: cs = 771; goto _test_eof; 
	_test_eof772: cs = 772; goto _test_eof; 
	_test_eof773: cs = 773; goto _test_eof; 
	_test_eof774: cs = 774; goto _test_eof; 
	_test_eof775: cs = 775; goto _test_eof; 
	_test_eof776: cs = 776; goto _test_eof; 
	_test_eof777: cs = 777; goto _test_eof; 
	_test_eof778: cs = 778; goto _test_eof; 
	_test_eof779: cs = 779; goto _test_eof; 
	_test_eof780: cs = 780; goto _test_eof; 
	_test_eof781: cs = 781; goto _test_eof; 
	_test_eof782: cs = 782; goto _test_eof; 
	_test_eof783: cs = 783; goto _test_eof; 
	_test_eof784: cs = 784; goto _test_eof; 
	_test_eof785: cs = 785; goto _test_eof; 
	_test_eof786: cs = 786; goto _test_eof; 
	_test_eof787: cs = 787; goto _test_eof; 
	_test_eof788: cs = 788; goto _test_eof; 
	_test_eof789: cs = 789; goto _test_eof; 
	_test_eof790: cs = 790; goto _test_eof; 
	_test_eof791: cs = 791; goto _test_eof; 
	_test_eof792: cs = 792; goto _test_eof; 
	_test_eof793: cs = 793; goto _test_eof; 
	_test_eof794: cs = 794; goto _test_eof; 
	_test_eof795: cs = 795; goto _test_eof; 
	_test_eof796: cs = 796; goto _test_eof; 
	_test_eof797: cs = 797; goto _test_eof; 
	_test_eof798: cs = 798; goto _test_eof; 
	_test_eof799: cs = 799; goto _test_eof; 
	_test_eof800: cs = 800; goto _test_eof; 
	_test_eof801: cs = 801; goto _test_eof; 
	_test_eof802: cs = 802; goto _test_eof; 
	_test_eof803: cs = 803; goto _test_eof; 
	_test_eof804: cs = 804; goto _test_eof; 
	_test_eof805: cs = 805; goto _test_eof; 
	_test_eof806: cs = 806; goto _test_eof; 
	_test_eof807: cs = 807; goto _test_eof; 
	_test_eof808: cs = 808; goto _test_eof; 
	_test_eof809: cs = 809; goto _test_eof; 
	_test_eof810: cs = 810; goto _test_eof; 
	_test_eof811: cs = 811; goto _test_eof; 
	_test_eof812: cs = 812; goto _test_eof; 
	_test_eof813: cs = 813; goto _test_eof; 
	_test_eof814: cs = 814; goto _test_eof; 
	_test_eof815: cs = 815; goto _test_eof; 
	_test_eof816: cs = 816; goto _test_eof; 
	_test_eof817: cs = 817; goto _test_eof; 
	_test_eof818: cs = 818; goto _test_eof; 
	_test_eof819: cs = 819; goto _test_eof; 
	_test_eof820: cs = 820; goto _test_eof; 
	_test_eof821: cs = 821; goto _test_eof; 
	_test_eof822: cs = 822; goto _test_eof; 
	_test_eof823: cs = 823; goto _test_eof; 
	_test_eof824: cs = 824; goto _test_eof; 
	_test_eof825: cs = 825; goto _test_eof; 
	_test_eof826: cs = 826; goto _test_eof; 
	_test_eof827: cs = 827; goto _test_eof; 
	_test_eof828: cs = 828; goto _test_eof; 
	_test_eof829: cs = 829; goto _test_eof; 
	_test_eof830: cs = 830; goto _test_eof; 
	_test_eof831: cs = 831; goto _test_eof; 
	_test_eof832: cs = 832; goto _test_eof; 
	_test_eof833: cs = 833; goto _test_eof; 
	_test_eof834: cs = 834; goto _test_eof; 
	_test_eof835: cs = 835; goto _test_eof; 
	_test_eof836: cs = 836; goto _test_eof; 
	_test_eof837: cs = 837; goto _test_eof; 
	_test_eof838: cs = 838; goto _test_eof; 
	_test_eof839: cs = 839; goto _test_eof; 
	_test_eof840: cs = 840; goto _test_eof; 
	_test_eof841: cs = 841; goto _test_eof; 
	_test_eof842: cs = 842; goto _test_eof; 
	_test_eof843: cs = 843; goto _test_eof; 
	_test_eof844: cs = 844; goto _test_eof; 
	_test_eof845: cs = 845; goto _test_eof; 
	_test_eof846: cs = 846; goto _test_eof; 
	_test_eof847: cs = 847; goto _test_eof; 
	_test_eof848: cs = 848; goto _test_eof; 
	_test_eof849: cs = 849; goto _test_eof; 
	_test_eof850: cs = 850; goto _test_eof; 
	_test_eof851: cs = 851; goto _test_eof; 
	_test_eof852: cs = 852; goto _test_eof; 
	_test_eof853: cs = 853; goto _test_eof; 
	_test_eof854: cs = 854; goto _test_eof; 
	_test_eof855: cs = 855; goto _test_eof; 
	_test_eof856: cs = 856; goto _test_eof; 
	_test_eof857: cs = 857; goto _test_eof; 
	_test_eof858: cs = 858; goto _test_eof; 
	_test_eof859: cs = 859; goto _test_eof; 
	_test_eof860: cs = 860; goto _test_eof; 
	_test_eof861: cs = 861; goto _test_eof; 
	_test_eof862: cs = 862; goto _test_eof; 
	_test_eof863: cs = 863; goto _test_eof; 
	_test_eof864: cs = 864; goto _test_eof; 
	_test_eof865: cs = 865; goto _test_eof; 
	_test_eof866: cs = 866; goto _test_eof; 
	_test_eof867: cs = 867; goto _test_eof; 
	_test_eof868: cs = 868; goto _test_eof; 
	_test_eof869: cs = 869; goto _test_eof; 
	_test_eof870: cs = 870; goto _test_eof; 
	_test_eof871: cs = 871; goto _test_eof; 
	_test_eof872: cs = 872; goto _test_eof; 
	_test_eof873: cs = 873; goto _test_eof; 
	_test_eof874: cs = 874; goto _test_eof; 
	_test_eof875: cs = 875; goto _test_eof; 
	_test_eof876: cs = 876; goto _test_eof; 
	_test_eof877: cs = 877; goto _test_eof; 
	_test_eof878: cs = 878; goto _test_eof; 
	_test_eof879: cs = 879; goto _test_eof; 
	_test_eof880: cs = 880; goto _test_eof; 
	_test_eof881: cs = 881; goto _test_eof; 
	_test_eof882: cs = 882; goto _test_eof; 
	_test_eof883: cs = 883; goto _test_eof; 
	_test_eof884: cs = 884; goto _test_eof; 
	_test_eof885: cs = 885; goto _test_eof; 
	_test_eof886: cs = 886; goto _test_eof; 
	_test_eof887: cs = 887; goto _test_eof; 
	_test_eof888: cs = 888; goto _test_eof; 
	_test_eof889: cs = 889; goto _test_eof; 
	_test_eof890: cs = 890; goto _test_eof; 
	_test_eof891: cs = 891; goto _test_eof; 
	_test_eof892: cs = 892; goto _test_eof; 
	_test_eof893: cs = 893; goto _test_eof; 
	_test_eof894: cs = 894; goto _test_eof; 
	_test_eof895: cs = 895; goto _test_eof; 
	_test_eof896: cs = 896; goto _test_eof; 
	_test_eof897: cs = 897; goto _test_eof; 
	_test_eof898: cs = 898; goto _test_eof; 
	_test_eof899: cs = 899; goto _test_eof; 
	_test_eof900: cs = 900; goto _test_eof; 
	_test_eof901: cs = 901; goto _test_eof; 
	_test_eof902: cs = 902; goto _test_eof; 
	_test_eof903: cs = 903; goto _test_eof; 
	_test_eof904: cs = 904; goto _test_eof; 
	_test_eof905: cs = 905; goto _test_eof; 
	_test_eof906: cs = 906; goto _test_eof; 
	_test_eof907: cs = 907; goto _test_eof; 
	_test_eof908: cs = 908; goto _test_eof; 
	_test_eof909: cs = 909; goto _test_eof; 
	_test_eof910: cs = 910; goto _test_eof; 
	_test_eof911: cs = 911; goto _test_eof; 
	_test_eof912: cs = 912; goto _test_eof; 
	_test_eof913: cs = 913; goto _test_eof; 
	_test_eof914: cs = 914; goto _test_eof; 
	_test_eof915: cs = 915; goto _test_eof; 
	_test_eof916: cs = 916; goto _test_eof; 
	_test_eof917: cs = 917; goto _test_eof; 
	_test_eof918: cs = 918; goto _test_eof; 
	_test_eof919: cs = 919; goto _test_eof; 
	_test_eof920: cs = 920; goto _test_eof; 
	_test_eof921: cs = 921; goto _test_eof; 
	_test_eof922: cs = 922; goto _test_eof; 
	_test_eof923: cs = 923; goto _test_eof; 
	_test_eof924: cs = 924; goto _test_eof; 
	_test_eof925: cs = 925; goto _test_eof; 
	_test_eof926: cs = 926; goto _test_eof; 
	_test_eof927: cs = 927; goto _test_eof; 
	_test_eof928: cs = 928; goto _test_eof; 
	_test_eof929: cs = 929; goto _test_eof; 
	_test_eof930: cs = 930; goto _test_eof; 
	_test_eof931: cs = 931; goto _test_eof; 
	_test_eof932: cs = 932; goto _test_eof; 
	_test_eof933: cs = 933; goto _test_eof; 
	_test_eof934: cs = 934; goto _test_eof; 
	_test_eof935: cs = 935; goto _test_eof; 
	_test_eof936: cs = 936; goto _test_eof; 
	_test_eof937: cs = 937; goto _test_eof; 
	_test_eof938: cs = 938; goto _test_eof; 
	_test_eof939: cs = 939; goto _test_eof; 
	_test_eof940: cs = 940; goto _test_eof; 
	_test_eof941: cs = 941; goto _test_eof; 
	_test_eof942: cs = 942; goto _test_eof; 
	_test_eof943: cs = 943; goto _test_eof; 
	_test_eof944: cs = 944; goto _test_eof; 
	_test_eof945: cs = 945; goto _test_eof; 
	_test_eof946: cs = 946; goto _test_eof; 
	_test_eof947: cs = 947; goto _test_eof; 
	_test_eof948: cs = 948; goto _test_eof; 
	_test_eof949: cs = 949; goto _test_eof; 
	_test_eof950: cs = 950; goto _test_eof; 
	_test_eof951: cs = 951; goto _test_eof; 
	_test_eof952: cs = 952; goto _test_eof; 
	_test_eof953: cs = 953; goto _test_eof; 
	_test_eof954: cs = 954; goto _test_eof; 
	_test_eof955: cs = 955; goto _test_eof; 
	_test_eof956: cs = 956; goto _test_eof; 
	_test_eof957: cs = 957; goto _test_eof; 
	_test_eof958: cs = 958; goto _test_eof; 
	_test_eof959: cs = 959; goto _test_eof; 
	_test_eof960: cs = 960; goto _test_eof; 
	_test_eof961: cs = 961; goto _test_eof; 
	_test_eof962: cs = 962; goto _test_eof; 
	_test_eof963: cs = 963; goto _test_eof; 
	_test_eof964: cs = 964; goto _test_eof; 
	_test_eof965: cs = 965; goto _test_eof; 
	_test_eof966: cs = 966; goto _test_eof; 
	_test_eof967: cs = 967; goto _test_eof; 
	_test_eof968: cs = 968; goto _test_eof; 
	_test_eof969: cs = 969; goto _test_eof; 

	_test_eof: {}
	_out: {}
	}

#line 29 "inputs/measure-patterns.rl"
return n; }
