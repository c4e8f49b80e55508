
/* #line 1 "inputs/train.rl" */

/* #line 17 "inputs/train.rl" */


/* #line 3 "check.c" */
static const int generated_start = 1;
static const int generated_first_final = 3446;
static const int generated_error = 0;

static const int generated_en_main = 1;


/* #line 19 "inputs/train.rl" */
int scan(const char *p, const char *pe) { int cs, n = 0; 
/* #line 9 "check.c" */
	{
	cs = generated_start;
	}

/* #line 20 "inputs/train.rl" */

/* #line 12 "check.c" */
	{
	if ( p == pe )
		goto _test_eof;
	switch ( cs )
	{
case 1:
	switch( (*p) ) {
		case 98: goto st2;
		case 100: goto st451;
		case 102: goto st743;
		case 103: goto st954;
		case 107: goto st1231;
		case 108: goto st1402;
		case 109: goto st1721;
		case 110: goto st1986;
		case 112: goto st2142;
		case 114: goto st2301;
		case 115: goto st2500;
		case 116: goto st2702;
		case 118: goto st2949;
		case 122: goto st3222;
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
		case 97: goto st3;
		case 101: goto st236;
		case 105: goto st300;
		case 111: goto st367;
		case 117: goto st401;
	}
	goto st0;
st3:
	if ( ++p == pe )
		goto _test_eof3;
case 3:
	switch( (*p) ) {
		case 110: goto st4;
		case 115: goto st228;
	}
	goto st0;
st4:
	if ( ++p == pe )
		goto _test_eof4;
case 4:
	if ( (*p) == 122 )
		goto st5;
	goto st0;
st5:
	if ( ++p == pe )
		goto _test_eof5;
case 5:
	if ( (*p) == 117 )
		goto st6;
	goto st0;
st6:
	if ( ++p == pe )
		goto _test_eof6;
case 6:
	if ( (*p) == 114 )
		goto st7;
	goto st0;
st7:
	if ( ++p == pe )
		goto _test_eof7;
case 7:
	if ( (*p) == 116 )
		goto st8;
	goto st0;
st8:
	if ( ++p == pe )
		goto _test_eof8;
case 8:
	if ( (*p) == 101 )
		goto st9;
	goto st0;
st9:
	if ( ++p == pe )
		goto _test_eof9;
case 9:
	if ( (*p) == 110 )
		goto st10;
	goto st0;
st10:
	if ( ++p == pe )
		goto _test_eof10;
case 10:
	if ( (*p) == 118 )
		goto st11;
	goto st0;
st11:
	if ( ++p == pe )
		goto _test_eof11;
case 11:
	if ( (*p) == 97 )
		goto st12;
	goto st0;
st12:
	if ( ++p == pe )
		goto _test_eof12;
case 12:
	if ( (*p) == 115 )
		goto st13;
	goto st0;
st13:
	if ( ++p == pe )
		goto _test_eof13;
case 13:
	if ( (*p) == 116 )
		goto st14;
	goto st0;
st14:
	if ( ++p == pe )
		goto _test_eof14;
case 14:
	if ( (*p) == 112 )
		goto st15;
	goto st0;
st15:
	if ( ++p == pe )
		goto _test_eof15;
case 15:
	if ( (*p) == 117 )
		goto st16;
	goto st0;
st16:
	if ( ++p == pe )
		goto _test_eof16;
case 16:
	if ( (*p) == 112 )
		goto st17;
	goto st0;
st17:
	if ( ++p == pe )
		goto _test_eof17;
case 17:
	if ( (*p) == 111 )
		goto st18;
	goto st0;
st18:
	if ( ++p == pe )
		goto _test_eof18;
case 18:
	if ( (*p) == 114 )
		goto tr36;
	goto st0;
tr36:
/* #line 3 "inputs/train.rl" */
	{ n = 179; }
	goto st19;
tr254:
/* #line 3 "inputs/train.rl" */
	{ n = 61; }
	goto st19;
tr281:
/* #line 3 "inputs/train.rl" */
	{ n = 106; }
	goto st19;
tr295:
/* #line 3 "inputs/train.rl" */
	{ n = 136; }
	goto st19;
tr303:
/* #line 3 "inputs/train.rl" */
	{ n = 137; }
	goto st19;
tr321:
/* #line 3 "inputs/train.rl" */
	{ n = 246; }
	goto st19;
tr334:
/* #line 3 "inputs/train.rl" */
	{ n = 197; }
	goto st19;
tr348:
/* #line 3 "inputs/train.rl" */
	{ n = 7; }
	goto st19;
tr353:
/* #line 3 "inputs/train.rl" */
	{ n = 121; }
	goto st19;
tr362:
/* #line 3 "inputs/train.rl" */
	{ n = 258; }
	goto st19;
tr373:
/* #line 3 "inputs/train.rl" */
	{ n = 97; }
	goto st19;
tr389:
/* #line 3 "inputs/train.rl" */
	{ n = 195; }
	goto st19;
tr394:
/* #line 3 "inputs/train.rl" */
	{ n = 189; }
	goto st19;
tr412:
/* #line 3 "inputs/train.rl" */
	{ n = 0; }
	goto st19;
tr429:
/* #line 3 "inputs/train.rl" */
	{ n = 227; }
	goto st19;
tr449:
/* #line 3 "inputs/train.rl" */
	{ n = 238; }
	goto st19;
tr455:
/* #line 3 "inputs/train.rl" */
	{ n = 29; }
	goto st19;
tr463:
/* #line 3 "inputs/train.rl" */
	{ n = 14; }
	goto st19;
tr482:
/* #line 3 "inputs/train.rl" */
	{ n = 183; }
	goto st19;
tr498:
/* #line 3 "inputs/train.rl" */
	{ n = 286; }
	goto st19;
tr513:
/* #line 3 "inputs/train.rl" */
	{ n = 149; }
	goto st19;
tr523:
/* #line 3 "inputs/train.rl" */
	{ n = 161; }
	goto st19;
tr532:
/* #line 3 "inputs/train.rl" */
	{ n = 256; }
	goto st19;
tr551:
/* #line 3 "inputs/train.rl" */
	{ n = 287; }
	goto st19;
tr559:
/* #line 3 "inputs/train.rl" */
	{ n = 43; }
	goto st19;
tr568:
/* #line 3 "inputs/train.rl" */
	{ n = 270; }
	goto st19;
tr581:
/* #line 3 "inputs/train.rl" */
	{ n = 55; }
	goto st19;
tr592:
/* #line 3 "inputs/train.rl" */
	{ n = 230; }
	goto st19;
tr605:
/* #line 3 "inputs/train.rl" */
	{ n = 63; }
	goto st19;
tr629:
/* #line 3 "inputs/train.rl" */
	{ n = 170; }
	goto st19;
tr642:
/* #line 3 "inputs/train.rl" */
	{ n = 140; }
	goto st19;
tr655:
/* #line 3 "inputs/train.rl" */
	{ n = 191; }
	goto st19;
tr662:
/* #line 3 "inputs/train.rl" */
	{ n = 236; }
	goto st19;
tr668:
/* #line 3 "inputs/train.rl" */
	{ n = 284; }
	goto st19;
tr684:
/* #line 3 "inputs/train.rl" */
	{ n = 150; }
	goto st19;
tr695:
/* #line 3 "inputs/train.rl" */
	{ n = 156; }
	goto st19;
tr706:
/* #line 3 "inputs/train.rl" */
	{ n = 42; }
	goto st19;
tr727:
/* #line 3 "inputs/train.rl" */
	{ n = 100; }
	goto st19;
tr748:
/* #line 3 "inputs/train.rl" */
	{ n = 8; }
	goto st19;
tr761:
/* #line 3 "inputs/train.rl" */
	{ n = 49; }
	goto st19;
tr769:
/* #line 3 "inputs/train.rl" */
	{ n = 260; }
	goto st19;
tr776:
/* #line 3 "inputs/train.rl" */
	{ n = 71; }
	goto st19;
tr783:
/* #line 3 "inputs/train.rl" */
	{ n = 45; }
	goto st19;
tr798:
/* #line 3 "inputs/train.rl" */
	{ n = 135; }
	goto st19;
tr814:
/* #line 3 "inputs/train.rl" */
	{ n = 298; }
	goto st19;
tr820:
/* #line 3 "inputs/train.rl" */
	{ n = 250; }
	goto st19;
tr833:
/* #line 3 "inputs/train.rl" */
	{ n = 102; }
	goto st19;
tr848:
/* #line 3 "inputs/train.rl" */
	{ n = 247; }
	goto st19;
tr853:
/* #line 3 "inputs/train.rl" */
	{ n = 249; }
	goto st19;
tr871:
/* #line 3 "inputs/train.rl" */
	{ n = 141; }
	goto st19;
tr886:
/* #line 3 "inputs/train.rl" */
	{ n = 182; }
	goto st19;
tr900:
/* #line 3 "inputs/train.rl" */
	{ n = 176; }
	goto st19;
tr912:
/* #line 3 "inputs/train.rl" */
	{ n = 289; }
	goto st19;
tr930:
/* #line 3 "inputs/train.rl" */
	{ n = 110; }
	goto st19;
tr937:
/* #line 3 "inputs/train.rl" */
	{ n = 163; }
	goto st19;
tr940:
/* #line 3 "inputs/train.rl" */
	{ n = 188; }
	goto st19;
tr950:
/* #line 3 "inputs/train.rl" */
	{ n = 122; }
	goto st19;
tr954:
/* #line 3 "inputs/train.rl" */
	{ n = 88; }
	goto st19;
tr968:
/* #line 3 "inputs/train.rl" */
	{ n = 9; }
	goto st19;
tr974:
/* #line 3 "inputs/train.rl" */
	{ n = 18; }
	goto st19;
tr975:
/* #line 3 "inputs/train.rl" */
	{ n = 209; }
	goto st19;
tr987:
/* #line 3 "inputs/train.rl" */
	{ n = 22; }
	goto st19;
tr1003:
/* #line 3 "inputs/train.rl" */
	{ n = 145; }
	goto st19;
tr1010:
/* #line 3 "inputs/train.rl" */
	{ n = 25; }
	goto st19;
tr1018:
/* #line 3 "inputs/train.rl" */
	{ n = 160; }
	goto st19;
tr1030:
/* #line 3 "inputs/train.rl" */
	{ n = 65; }
	goto st19;
tr1048:
/* #line 3 "inputs/train.rl" */
	{ n = 157; }
	goto st19;
tr1059:
/* #line 3 "inputs/train.rl" */
	{ n = 199; }
	goto st19;
tr1080:
/* #line 3 "inputs/train.rl" */
	{ n = 204; }
	goto st19;
tr1096:
/* #line 3 "inputs/train.rl" */
	{ n = 285; }
	goto st19;
tr1105:
/* #line 3 "inputs/train.rl" */
	{ n = 228; }
	goto st19;
tr1116:
/* #line 3 "inputs/train.rl" */
	{ n = 101; }
	goto st19;
tr1126:
/* #line 3 "inputs/train.rl" */
	{ n = 79; }
	goto st19;
tr1135:
/* #line 3 "inputs/train.rl" */
	{ n = 48; }
	goto st19;
tr1147:
/* #line 3 "inputs/train.rl" */
	{ n = 34; }
	goto st19;
tr1162:
/* #line 3 "inputs/train.rl" */
	{ n = 205; }
	goto st19;
tr1168:
/* #line 3 "inputs/train.rl" */
	{ n = 214; }
	goto st19;
tr1187:
/* #line 3 "inputs/train.rl" */
	{ n = 47; }
	goto st19;
tr1200:
/* #line 3 "inputs/train.rl" */
	{ n = 193; }
	goto st19;
tr1206:
/* #line 3 "inputs/train.rl" */
	{ n = 185; }
	goto st19;
tr1210:
/* #line 3 "inputs/train.rl" */
	{ n = 148; }
	goto st19;
tr1229:
/* #line 3 "inputs/train.rl" */
	{ n = 87; }
	goto st19;
tr1242:
/* #line 3 "inputs/train.rl" */
	{ n = 290; }
	goto st19;
tr1244:
/* #line 3 "inputs/train.rl" */
	{ n = 51; }
	goto st19;
tr1254:
/* #line 3 "inputs/train.rl" */
	{ n = 257; }
	goto st19;
tr1271:
/* #line 3 "inputs/train.rl" */
	{ n = 117; }
	goto st19;
tr1280:
/* #line 3 "inputs/train.rl" */
	{ n = 172; }
	goto st19;
tr1286:
/* #line 3 "inputs/train.rl" */
	{ n = 67; }
	goto st19;
tr1297:
/* #line 3 "inputs/train.rl" */
	{ n = 128; }
	goto st19;
tr1315:
/* #line 3 "inputs/train.rl" */
	{ n = 5; }
	goto st19;
tr1331:
/* #line 3 "inputs/train.rl" */
	{ n = 267; }
	goto st19;
tr1351:
/* #line 3 "inputs/train.rl" */
	{ n = 213; }
	goto st19;
tr1359:
/* #line 3 "inputs/train.rl" */
	{ n = 210; }
	goto st19;
tr1377:
/* #line 3 "inputs/train.rl" */
	{ n = 268; }
	goto st19;
tr1396:
/* #line 3 "inputs/train.rl" */
	{ n = 82; }
	goto st19;
tr1406:
/* #line 3 "inputs/train.rl" */
	{ n = 282; }
	goto st19;
tr1425:
/* #line 3 "inputs/train.rl" */
	{ n = 94; }
	goto st19;
tr1434:
/* #line 3 "inputs/train.rl" */
	{ n = 68; }
	goto st19;
tr1439:
/* #line 3 "inputs/train.rl" */
	{ n = 225; }
	goto st19;
tr1449:
/* #line 3 "inputs/train.rl" */
	{ n = 132; }
	goto st19;
tr1459:
/* #line 3 "inputs/train.rl" */
	{ n = 184; }
	goto st19;
tr1468:
/* #line 3 "inputs/train.rl" */
	{ n = 52; }
	goto st19;
tr1475:
/* #line 3 "inputs/train.rl" */
	{ n = 143; }
	goto st19;
tr1486:
/* #line 3 "inputs/train.rl" */
	{ n = 31; }
	goto st19;
tr1505:
/* #line 3 "inputs/train.rl" */
	{ n = 74; }
	goto st19;
tr1516:
/* #line 3 "inputs/train.rl" */
	{ n = 288; }
	goto st19;
tr1539:
/* #line 3 "inputs/train.rl" */
	{ n = 242; }
	goto st19;
tr1546:
/* #line 3 "inputs/train.rl" */
	{ n = 90; }
	goto st19;
tr1564:
/* #line 3 "inputs/train.rl" */
	{ n = 164; }
	goto st19;
tr1577:
/* #line 3 "inputs/train.rl" */
	{ n = 56; }
	goto st19;
tr1582:
/* #line 3 "inputs/train.rl" */
	{ n = 116; }
	goto st19;
tr1591:
/* #line 3 "inputs/train.rl" */
	{ n = 6; }
	goto st19;
tr1603:
/* #line 3 "inputs/train.rl" */
	{ n = 291; }
	goto st19;
tr1611:
/* #line 3 "inputs/train.rl" */
	{ n = 129; }
	goto st19;
tr1621:
/* #line 3 "inputs/train.rl" */
	{ n = 244; }
	goto st19;
tr1638:
/* #line 3 "inputs/train.rl" */
	{ n = 294; }
	goto st19;
tr1651:
/* #line 3 "inputs/train.rl" */
	{ n = 248; }
	goto st19;
tr1667:
/* #line 3 "inputs/train.rl" */
	{ n = 215; }
	goto st19;
tr1671:
/* #line 3 "inputs/train.rl" */
	{ n = 12; }
	goto st19;
tr1682:
/* #line 3 "inputs/train.rl" */
	{ n = 217; }
	goto st19;
tr1685:
/* #line 3 "inputs/train.rl" */
	{ n = 166; }
	goto st19;
tr1700:
/* #line 3 "inputs/train.rl" */
	{ n = 138; }
	goto st19;
tr1715:
/* #line 3 "inputs/train.rl" */
	{ n = 281; }
	goto st19;
tr1730:
/* #line 3 "inputs/train.rl" */
	{ n = 119; }
	goto st19;
tr1746:
/* #line 3 "inputs/train.rl" */
	{ n = 130; }
	goto st19;
tr1758:
/* #line 3 "inputs/train.rl" */
	{ n = 60; }
	goto st19;
tr1762:
/* #line 3 "inputs/train.rl" */
	{ n = 218; }
	goto st19;
tr1769:
/* #line 3 "inputs/train.rl" */
	{ n = 59; }
	goto st19;
tr1777:
/* #line 3 "inputs/train.rl" */
	{ n = 266; }
	goto st19;
tr1795:
/* #line 3 "inputs/train.rl" */
	{ n = 76; }
	goto st19;
tr1809:
/* #line 3 "inputs/train.rl" */
	{ n = 221; }
	goto st19;
tr1821:
/* #line 3 "inputs/train.rl" */
	{ n = 20; }
	goto st19;
tr1832:
/* #line 3 "inputs/train.rl" */
	{ n = 139; }
	goto st19;
tr1848:
/* #line 3 "inputs/train.rl" */
	{ n = 96; }
	goto st19;
tr1863:
/* #line 3 "inputs/train.rl" */
	{ n = 41; }
	goto st19;
tr1883:
/* #line 3 "inputs/train.rl" */
	{ n = 226; }
	goto st19;
tr1894:
/* #line 3 "inputs/train.rl" */
	{ n = 167; }
	goto st19;
tr1900:
/* #line 3 "inputs/train.rl" */
	{ n = 142; }
	goto st19;
tr1903:
/* #line 3 "inputs/train.rl" */
	{ n = 118; }
	goto st19;
tr1924:
/* #line 3 "inputs/train.rl" */
	{ n = 3; }
	goto st19;
tr1937:
/* #line 3 "inputs/train.rl" */
	{ n = 251; }
	goto st19;
tr1949:
/* #line 3 "inputs/train.rl" */
	{ n = 202; }
	goto st19;
tr1958:
/* #line 3 "inputs/train.rl" */
	{ n = 175; }
	goto st19;
tr1976:
/* #line 3 "inputs/train.rl" */
	{ n = 46; }
	goto st19;
tr1995:
/* #line 3 "inputs/train.rl" */
	{ n = 83; }
	goto st19;
tr2002:
/* #line 3 "inputs/train.rl" */
	{ n = 231; }
	goto st19;
tr2016:
/* #line 3 "inputs/train.rl" */
	{ n = 37; }
	goto st19;
tr2028:
/* #line 3 "inputs/train.rl" */
	{ n = 207; }
	goto st19;
tr2034:
/* #line 3 "inputs/train.rl" */
	{ n = 229; }
	goto st19;
tr2050:
/* #line 3 "inputs/train.rl" */
	{ n = 26; }
	goto st19;
tr2058:
/* #line 3 "inputs/train.rl" */
	{ n = 144; }
	goto st19;
tr2070:
/* #line 3 "inputs/train.rl" */
	{ n = 283; }
	goto st19;
tr2085:
/* #line 3 "inputs/train.rl" */
	{ n = 232; }
	goto st19;
tr2098:
/* #line 3 "inputs/train.rl" */
	{ n = 201; }
	goto st19;
tr2112:
/* #line 3 "inputs/train.rl" */
	{ n = 19; }
	goto st19;
tr2131:
/* #line 3 "inputs/train.rl" */
	{ n = 111; }
	goto st19;
tr2137:
/* #line 3 "inputs/train.rl" */
	{ n = 95; }
	goto st19;
tr2141:
/* #line 3 "inputs/train.rl" */
	{ n = 223; }
	goto st19;
tr2151:
/* #line 3 "inputs/train.rl" */
	{ n = 38; }
	goto st19;
tr2160:
/* #line 3 "inputs/train.rl" */
	{ n = 262; }
	goto st19;
tr2166:
/* #line 3 "inputs/train.rl" */
	{ n = 261; }
	goto st19;
tr2177:
/* #line 3 "inputs/train.rl" */
	{ n = 85; }
	goto st19;
tr2192:
/* #line 3 "inputs/train.rl" */
	{ n = 208; }
	goto st19;
tr2199:
/* #line 3 "inputs/train.rl" */
	{ n = 235; }
	goto st19;
tr2203:
/* #line 3 "inputs/train.rl" */
	{ n = 237; }
	goto st19;
tr2218:
/* #line 3 "inputs/train.rl" */
	{ n = 239; }
	goto st19;
tr2235:
/* #line 3 "inputs/train.rl" */
	{ n = 72; }
	goto st19;
tr2239:
/* #line 3 "inputs/train.rl" */
	{ n = 127; }
	goto st19;
tr2250:
/* #line 3 "inputs/train.rl" */
	{ n = 280; }
	goto st19;
tr2269:
/* #line 3 "inputs/train.rl" */
	{ n = 295; }
	goto st19;
tr2279:
/* #line 3 "inputs/train.rl" */
	{ n = 13; }
	goto st19;
tr2287:
/* #line 3 "inputs/train.rl" */
	{ n = 75; }
	goto st19;
tr2302:
/* #line 3 "inputs/train.rl" */
	{ n = 234; }
	goto st19;
tr2316:
/* #line 3 "inputs/train.rl" */
	{ n = 112; }
	goto st19;
tr2317:
/* #line 3 "inputs/train.rl" */
	{ n = 105; }
	goto st19;
tr2323:
/* #line 3 "inputs/train.rl" */
	{ n = 57; }
	goto st19;
tr2339:
/* #line 3 "inputs/train.rl" */
	{ n = 186; }
	goto st19;
tr2349:
/* #line 3 "inputs/train.rl" */
	{ n = 126; }
	goto st19;
tr2357:
/* #line 3 "inputs/train.rl" */
	{ n = 198; }
	goto st19;
tr2365:
/* #line 3 "inputs/train.rl" */
	{ n = 279; }
	goto st19;
tr2375:
/* #line 3 "inputs/train.rl" */
	{ n = 120; }
	goto st19;
tr2397:
/* #line 3 "inputs/train.rl" */
	{ n = 296; }
	goto st19;
tr2407:
/* #line 3 "inputs/train.rl" */
	{ n = 194; }
	goto st19;
tr2417:
/* #line 3 "inputs/train.rl" */
	{ n = 297; }
	goto st19;
tr2419:
/* #line 3 "inputs/train.rl" */
	{ n = 255; }
	goto st19;
tr2426:
/* #line 3 "inputs/train.rl" */
	{ n = 77; }
	goto st19;
tr2441:
/* #line 3 "inputs/train.rl" */
	{ n = 32; }
	goto st19;
tr2455:
/* #line 3 "inputs/train.rl" */
	{ n = 131; }
	goto st19;
tr2462:
/* #line 3 "inputs/train.rl" */
	{ n = 11; }
	goto st19;
tr2466:
/* #line 3 "inputs/train.rl" */
	{ n = 10; }
	goto st19;
tr2474:
/* #line 3 "inputs/train.rl" */
	{ n = 259; }
	goto st19;
tr2482:
/* #line 3 "inputs/train.rl" */
	{ n = 35; }
	goto st19;
tr2498:
/* #line 3 "inputs/train.rl" */
	{ n = 58; }
	goto st19;
tr2515:
/* #line 3 "inputs/train.rl" */
	{ n = 33; }
	goto st19;
tr2516:
/* #line 3 "inputs/train.rl" */
	{ n = 134; }
	goto st19;
tr2526:
/* #line 3 "inputs/train.rl" */
	{ n = 39; }
	goto st19;
tr2531:
/* #line 3 "inputs/train.rl" */
	{ n = 40; }
	goto st19;
tr2544:
/* #line 3 "inputs/train.rl" */
	{ n = 1; }
	goto st19;
tr2557:
/* #line 3 "inputs/train.rl" */
	{ n = 196; }
	goto st19;
tr2560:
/* #line 3 "inputs/train.rl" */
	{ n = 273; }
	goto st19;
tr2573:
/* #line 3 "inputs/train.rl" */
	{ n = 177; }
	goto st19;
tr2579:
/* #line 3 "inputs/train.rl" */
	{ n = 155; }
	goto st19;
tr2590:
/* #line 3 "inputs/train.rl" */
	{ n = 91; }
	goto st19;
tr2594:
/* #line 3 "inputs/train.rl" */
	{ n = 211; }
	goto st19;
tr2613:
/* #line 3 "inputs/train.rl" */
	{ n = 84; }
	goto st19;
tr2629:
/* #line 3 "inputs/train.rl" */
	{ n = 181; }
	goto st19;
tr2640:
/* #line 3 "inputs/train.rl" */
	{ n = 36; }
	goto st19;
tr2648:
/* #line 3 "inputs/train.rl" */
	{ n = 292; }
	goto st19;
tr2665:
/* #line 3 "inputs/train.rl" */
	{ n = 180; }
	goto st19;
tr2670:
/* #line 3 "inputs/train.rl" */
	{ n = 222; }
	goto st19;
tr2688:
/* #line 3 "inputs/train.rl" */
	{ n = 252; }
	goto st19;
tr2698:
/* #line 3 "inputs/train.rl" */
	{ n = 162; }
	goto st19;
tr2708:
/* #line 3 "inputs/train.rl" */
	{ n = 24; }
	goto st19;
tr2717:
/* #line 3 "inputs/train.rl" */
	{ n = 169; }
	goto st19;
tr2741:
/* #line 3 "inputs/train.rl" */
	{ n = 89; }
	goto st19;
tr2757:
/* #line 3 "inputs/train.rl" */
	{ n = 28; }
	goto st19;
tr2777:
/* #line 3 "inputs/train.rl" */
	{ n = 165; }
	goto st19;
tr2792:
/* #line 3 "inputs/train.rl" */
	{ n = 93; }
	goto st19;
tr2802:
/* #line 3 "inputs/train.rl" */
	{ n = 233; }
	goto st19;
tr2813:
/* #line 3 "inputs/train.rl" */
	{ n = 220; }
	goto st19;
tr2825:
/* #line 3 "inputs/train.rl" */
	{ n = 190; }
	goto st19;
tr2833:
/* #line 3 "inputs/train.rl" */
	{ n = 275; }
	goto st19;
tr2850:
/* #line 3 "inputs/train.rl" */
	{ n = 178; }
	goto st19;
tr2863:
/* #line 3 "inputs/train.rl" */
	{ n = 272; }
	goto st19;
tr2870:
/* #line 3 "inputs/train.rl" */
	{ n = 17; }
	goto st19;
tr2886:
/* #line 3 "inputs/train.rl" */
	{ n = 15; }
	goto st19;
tr2891:
/* #line 3 "inputs/train.rl" */
	{ n = 173; }
	goto st19;
tr2911:
/* #line 3 "inputs/train.rl" */
	{ n = 271; }
	goto st19;
tr2912:
/* #line 3 "inputs/train.rl" */
	{ n = 125; }
	goto st19;
tr2923:
/* #line 3 "inputs/train.rl" */
	{ n = 293; }
	goto st19;
tr2935:
/* #line 3 "inputs/train.rl" */
	{ n = 50; }
	goto st19;
tr2948:
/* #line 3 "inputs/train.rl" */
	{ n = 277; }
	goto st19;
tr2956:
/* #line 3 "inputs/train.rl" */
	{ n = 171; }
	goto st19;
tr2970:
/* #line 3 "inputs/train.rl" */
	{ n = 81; }
	goto st19;
tr2981:
/* #line 3 "inputs/train.rl" */
	{ n = 216; }
	goto st19;
tr2995:
/* #line 3 "inputs/train.rl" */
	{ n = 278; }
	goto st19;
tr3014:
/* #line 3 "inputs/train.rl" */
	{ n = 23; }
	goto st19;
tr3021:
/* #line 3 "inputs/train.rl" */
	{ n = 109; }
	goto st19;
tr3034:
/* #line 3 "inputs/train.rl" */
	{ n = 54; }
	goto st19;
tr3049:
/* #line 3 "inputs/train.rl" */
	{ n = 168; }
	goto st19;
tr3060:
/* #line 3 "inputs/train.rl" */
	{ n = 114; }
	goto st19;
tr3065:
/* #line 3 "inputs/train.rl" */
	{ n = 133; }
	goto st19;
tr3076:
/* #line 3 "inputs/train.rl" */
	{ n = 21; }
	goto st19;
tr3092:
/* #line 3 "inputs/train.rl" */
	{ n = 104; }
	goto st19;
tr3102:
/* #line 3 "inputs/train.rl" */
	{ n = 113; }
	goto st19;
tr3110:
/* #line 3 "inputs/train.rl" */
	{ n = 269; }
	goto st19;
tr3125:
/* #line 3 "inputs/train.rl" */
	{ n = 243; }
	goto st19;
tr3145:
/* #line 3 "inputs/train.rl" */
	{ n = 203; }
	goto st19;
tr3156:
/* #line 3 "inputs/train.rl" */
	{ n = 224; }
	goto st19;
tr3164:
/* #line 3 "inputs/train.rl" */
	{ n = 153; }
	goto st19;
tr3171:
/* #line 3 "inputs/train.rl" */
	{ n = 174; }
	goto st19;
tr3182:
/* #line 3 "inputs/train.rl" */
	{ n = 103; }
	goto st19;
tr3191:
/* #line 3 "inputs/train.rl" */
	{ n = 70; }
	goto st19;
tr3198:
/* #line 3 "inputs/train.rl" */
	{ n = 73; }
	goto st19;
tr3205:
/* #line 3 "inputs/train.rl" */
	{ n = 274; }
	goto st19;
tr3232:
/* #line 3 "inputs/train.rl" */
	{ n = 115; }
	goto st19;
tr3238:
/* #line 3 "inputs/train.rl" */
	{ n = 151; }
	goto st19;
tr3242:
/* #line 3 "inputs/train.rl" */
	{ n = 99; }
	goto st19;
tr3262:
/* #line 3 "inputs/train.rl" */
	{ n = 44; }
	goto st19;
tr3275:
/* #line 3 "inputs/train.rl" */
	{ n = 154; }
	goto st19;
tr3290:
/* #line 3 "inputs/train.rl" */
	{ n = 16; }
	goto st19;
tr3308:
/* #line 3 "inputs/train.rl" */
	{ n = 2; }
	goto st19;
tr3312:
/* #line 3 "inputs/train.rl" */
	{ n = 86; }
	goto st19;
tr3320:
/* #line 3 "inputs/train.rl" */
	{ n = 69; }
	goto st19;
tr3330:
/* #line 3 "inputs/train.rl" */
	{ n = 78; }
	goto st19;
tr3349:
/* #line 3 "inputs/train.rl" */
	{ n = 158; }
	goto st19;
tr3358:
/* #line 3 "inputs/train.rl" */
	{ n = 276; }
	goto st19;
tr3365:
/* #line 3 "inputs/train.rl" */
	{ n = 92; }
	goto st19;
tr3381:
/* #line 3 "inputs/train.rl" */
	{ n = 152; }
	goto st19;
tr3397:
/* #line 3 "inputs/train.rl" */
	{ n = 66; }
	goto st19;
tr3404:
/* #line 3 "inputs/train.rl" */
	{ n = 53; }
	goto st19;
tr3426:
/* #line 3 "inputs/train.rl" */
	{ n = 159; }
	goto st19;
tr3445:
/* #line 3 "inputs/train.rl" */
	{ n = 245; }
	goto st19;
tr3463:
/* #line 3 "inputs/train.rl" */
	{ n = 265; }
	goto st19;
tr3482:
/* #line 3 "inputs/train.rl" */
	{ n = 27; }
	goto st19;
tr3498:
/* #line 3 "inputs/train.rl" */
	{ n = 124; }
	goto st19;
tr3518:
/* #line 3 "inputs/train.rl" */
	{ n = 200; }
	goto st19;
tr3524:
/* #line 3 "inputs/train.rl" */
	{ n = 253; }
	goto st19;
tr3537:
/* #line 3 "inputs/train.rl" */
	{ n = 30; }
	goto st19;
tr3540:
/* #line 3 "inputs/train.rl" */
	{ n = 299; }
	goto st19;
tr3554:
/* #line 3 "inputs/train.rl" */
	{ n = 80; }
	goto st19;
tr3566:
/* #line 3 "inputs/train.rl" */
	{ n = 107; }
	goto st19;
tr3570:
/* #line 3 "inputs/train.rl" */
	{ n = 264; }
	goto st19;
tr3571:
/* #line 3 "inputs/train.rl" */
	{ n = 146; }
	goto st19;
tr3579:
/* #line 3 "inputs/train.rl" */
	{ n = 263; }
	goto st19;
tr3598:
/* #line 3 "inputs/train.rl" */
	{ n = 241; }
	goto st19;
tr3606:
/* #line 3 "inputs/train.rl" */
	{ n = 108; }
	goto st19;
tr3621:
/* #line 3 "inputs/train.rl" */
	{ n = 187; }
	goto st19;
tr3626:
/* #line 3 "inputs/train.rl" */
	{ n = 123; }
	goto st19;
tr3642:
/* #line 3 "inputs/train.rl" */
	{ n = 4; }
	goto st19;
tr3656:
/* #line 3 "inputs/train.rl" */
	{ n = 206; }
	goto st19;
tr3665:
/* #line 3 "inputs/train.rl" */
	{ n = 240; }
	goto st19;
tr3680:
/* #line 3 "inputs/train.rl" */
	{ n = 64; }
	goto st19;
tr3691:
/* #line 3 "inputs/train.rl" */
	{ n = 192; }
	goto st19;
tr3701:
/* #line 3 "inputs/train.rl" */
	{ n = 62; }
	goto st19;
tr3703:
/* #line 3 "inputs/train.rl" */
	{ n = 254; }
	goto st19;
tr3712:
/* #line 3 "inputs/train.rl" */
	{ n = 98; }
	goto st19;
tr3729:
/* #line 3 "inputs/train.rl" */
	{ n = 212; }
	goto st19;
tr3733:
/* #line 3 "inputs/train.rl" */
	{ n = 219; }
	goto st19;
tr3745:
/* #line 3 "inputs/train.rl" */
	{ n = 147; }
	goto st19;
st19:
	if ( ++p == pe )
		goto _test_eof19;
case 19:
/* #line 1068 "check.c" */
	if ( (*p) == 32 )
		goto st20;
	goto st0;
st20:
	if ( ++p == pe )
		goto _test_eof20;
case 20:
	switch( (*p) ) {
		case 60: goto st42;
		case 97: goto st79;
		case 98: goto st22;
		case 100: goto st93;
		case 107: goto st86;
		case 108: goto st89;
		case 109: goto st122;
		case 116: goto st214;
		case 117: goto st88;
		case 118: goto st91;
		case 122: goto st88;
	}
	if ( 110 <= (*p) && (*p) <= 111 )
		goto st88;
	goto st21;
st21:
	if ( ++p == pe )
		goto _test_eof21;
case 21:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st22:
	if ( ++p == pe )
		goto _test_eof22;
case 22:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 117: goto st34;
	}
	goto st21;
st23:
	if ( ++p == pe )
		goto _test_eof23;
case 23:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 117: goto st25;
	}
	goto st21;
st24:
	if ( ++p == pe )
		goto _test_eof24;
case 24:
	switch( (*p) ) {
		case 97: goto st25;
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st25:
	if ( ++p == pe )
		goto _test_eof25;
case 25:
	switch( (*p) ) {
		case 59: goto st3446;
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st3446:
	if ( ++p == pe )
		goto _test_eof3446;
case 3446:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st26:
	if ( ++p == pe )
		goto _test_eof26;
case 26:
	switch( (*p) ) {
		case 98: goto st22;
		case 105: goto st27;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st27:
	if ( ++p == pe )
		goto _test_eof27;
case 27:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 110: goto st28;
	}
	goto st21;
st28:
	if ( ++p == pe )
		goto _test_eof28;
case 28:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 122: goto st29;
	}
	goto st21;
st29:
	if ( ++p == pe )
		goto _test_eof29;
case 29:
	switch( (*p) ) {
		case 97: goto st30;
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st30:
	if ( ++p == pe )
		goto _test_eof30;
case 30:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 110: goto st31;
	}
	goto st21;
st31:
	if ( ++p == pe )
		goto _test_eof31;
case 31:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st32;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st32:
	if ( ++p == pe )
		goto _test_eof32;
case 32:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 111: goto st33;
		case 117: goto st25;
	}
	goto st21;
st33:
	if ( ++p == pe )
		goto _test_eof33;
case 33:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 110: goto st25;
	}
	goto st21;
st34:
	if ( ++p == pe )
		goto _test_eof34;
case 34:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 110: goto st35;
	}
	goto st21;
st35:
	if ( ++p == pe )
		goto _test_eof35;
case 35:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 122: goto st36;
	}
	goto st21;
st36:
	if ( ++p == pe )
		goto _test_eof36;
case 36:
	switch( (*p) ) {
		case 98: goto st22;
		case 105: goto st37;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st37:
	if ( ++p == pe )
		goto _test_eof37;
case 37:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 118: goto st38;
	}
	goto st21;
st38:
	if ( ++p == pe )
		goto _test_eof38;
case 38:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 111: goto st39;
	}
	goto st21;
st39:
	if ( ++p == pe )
		goto _test_eof39;
case 39:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 110: goto st40;
	}
	goto st21;
st40:
	if ( ++p == pe )
		goto _test_eof40;
case 40:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 110: goto st41;
	}
	goto st21;
st41:
	if ( ++p == pe )
		goto _test_eof41;
case 41:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 111: goto st25;
	}
	goto st21;
st42:
	if ( ++p == pe )
		goto _test_eof42;
case 42:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st43;
		case 108: goto st24;
		case 109: goto st26;
		case 118: goto st69;
	}
	goto st21;
st43:
	if ( ++p == pe )
		goto _test_eof43;
case 43:
	switch( (*p) ) {
		case 98: goto st22;
		case 101: goto st44;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 117: goto st25;
	}
	goto st21;
st44:
	if ( ++p == pe )
		goto _test_eof44;
case 44:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 114: goto st45;
	}
	goto st21;
st45:
	if ( ++p == pe )
		goto _test_eof45;
case 45:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 122: goto st46;
	}
	goto st21;
st46:
	if ( ++p == pe )
		goto _test_eof46;
case 46:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 111: goto st47;
	}
	goto st21;
st47:
	if ( ++p == pe )
		goto _test_eof47;
case 47:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 114: goto st48;
	}
	goto st21;
st48:
	if ( ++p == pe )
		goto _test_eof48;
case 48:
	switch( (*p) ) {
		case 62: goto st25;
		case 98: goto st49;
		case 107: goto st50;
		case 108: goto st51;
		case 109: goto st53;
	}
	goto st48;
st49:
	if ( ++p == pe )
		goto _test_eof49;
case 49:
	switch( (*p) ) {
		case 62: goto st25;
		case 98: goto st49;
		case 107: goto st50;
		case 108: goto st51;
		case 109: goto st53;
		case 117: goto st61;
	}
	goto st48;
st50:
	if ( ++p == pe )
		goto _test_eof50;
case 50:
	switch( (*p) ) {
		case 62: goto st25;
		case 98: goto st49;
		case 107: goto st50;
		case 108: goto st51;
		case 109: goto st53;
		case 117: goto st52;
	}
	goto st48;
st51:
	if ( ++p == pe )
		goto _test_eof51;
case 51:
	switch( (*p) ) {
		case 62: goto st25;
		case 97: goto st52;
		case 98: goto st49;
		case 107: goto st50;
		case 108: goto st51;
		case 109: goto st53;
	}
	goto st48;
st52:
	if ( ++p == pe )
		goto _test_eof52;
case 52:
	switch( (*p) ) {
		case 59: goto st3447;
		case 62: goto st25;
		case 98: goto st49;
		case 107: goto st50;
		case 108: goto st51;
		case 109: goto st53;
	}
	goto st48;
st3447:
	if ( ++p == pe )
		goto _test_eof3447;
case 3447:
	switch( (*p) ) {
		case 62: goto st25;
		case 98: goto st49;
		case 107: goto st50;
		case 108: goto st51;
		case 109: goto st53;
	}
	goto st48;
st53:
	if ( ++p == pe )
		goto _test_eof53;
case 53:
	switch( (*p) ) {
		case 62: goto st25;
		case 98: goto st49;
		case 105: goto st54;
		case 107: goto st50;
		case 108: goto st51;
		case 109: goto st53;
	}
	goto st48;
st54:
	if ( ++p == pe )
		goto _test_eof54;
case 54:
	switch( (*p) ) {
		case 62: goto st25;
		case 98: goto st49;
		case 107: goto st50;
		case 108: goto st51;
		case 109: goto st53;
		case 110: goto st55;
	}
	goto st48;
st55:
	if ( ++p == pe )
		goto _test_eof55;
case 55:
	switch( (*p) ) {
		case 62: goto st25;
		case 98: goto st49;
		case 107: goto st50;
		case 108: goto st51;
		case 109: goto st53;
		case 122: goto st56;
	}
	goto st48;
st56:
	if ( ++p == pe )
		goto _test_eof56;
case 56:
	switch( (*p) ) {
		case 62: goto st25;
		case 97: goto st57;
		case 98: goto st49;
		case 107: goto st50;
		case 108: goto st51;
		case 109: goto st53;
	}
	goto st48;
st57:
	if ( ++p == pe )
		goto _test_eof57;
case 57:
	switch( (*p) ) {
		case 62: goto st25;
		case 98: goto st49;
		case 107: goto st50;
		case 108: goto st51;
		case 109: goto st53;
		case 110: goto st58;
	}
	goto st48;
st58:
	if ( ++p == pe )
		goto _test_eof58;
case 58:
	switch( (*p) ) {
		case 62: goto st25;
		case 98: goto st49;
		case 107: goto st59;
		case 108: goto st51;
		case 109: goto st53;
	}
	goto st48;
st59:
	if ( ++p == pe )
		goto _test_eof59;
case 59:
	switch( (*p) ) {
		case 62: goto st25;
		case 98: goto st49;
		case 107: goto st50;
		case 108: goto st51;
		case 109: goto st53;
		case 111: goto st60;
		case 117: goto st52;
	}
	goto st48;
st60:
	if ( ++p == pe )
		goto _test_eof60;
case 60:
	switch( (*p) ) {
		case 62: goto st25;
		case 98: goto st49;
		case 107: goto st50;
		case 108: goto st51;
		case 109: goto st53;
		case 110: goto st52;
	}
	goto st48;
st61:
	if ( ++p == pe )
		goto _test_eof61;
case 61:
	switch( (*p) ) {
		case 62: goto st25;
		case 98: goto st49;
		case 107: goto st50;
		case 108: goto st51;
		case 109: goto st53;
		case 110: goto st62;
	}
	goto st48;
st62:
	if ( ++p == pe )
		goto _test_eof62;
case 62:
	switch( (*p) ) {
		case 62: goto st25;
		case 98: goto st49;
		case 107: goto st50;
		case 108: goto st51;
		case 109: goto st53;
		case 122: goto st63;
	}
	goto st48;
st63:
	if ( ++p == pe )
		goto _test_eof63;
case 63:
	switch( (*p) ) {
		case 62: goto st25;
		case 98: goto st49;
		case 105: goto st64;
		case 107: goto st50;
		case 108: goto st51;
		case 109: goto st53;
	}
	goto st48;
st64:
	if ( ++p == pe )
		goto _test_eof64;
case 64:
	switch( (*p) ) {
		case 62: goto st25;
		case 98: goto st49;
		case 107: goto st50;
		case 108: goto st51;
		case 109: goto st53;
		case 118: goto st65;
	}
	goto st48;
st65:
	if ( ++p == pe )
		goto _test_eof65;
case 65:
	switch( (*p) ) {
		case 62: goto st25;
		case 98: goto st49;
		case 107: goto st50;
		case 108: goto st51;
		case 109: goto st53;
		case 111: goto st66;
	}
	goto st48;
st66:
	if ( ++p == pe )
		goto _test_eof66;
case 66:
	switch( (*p) ) {
		case 62: goto st25;
		case 98: goto st49;
		case 107: goto st50;
		case 108: goto st51;
		case 109: goto st53;
		case 110: goto st67;
	}
	goto st48;
st67:
	if ( ++p == pe )
		goto _test_eof67;
case 67:
	switch( (*p) ) {
		case 62: goto st25;
		case 98: goto st49;
		case 107: goto st50;
		case 108: goto st51;
		case 109: goto st53;
		case 110: goto st68;
	}
	goto st48;
st68:
	if ( ++p == pe )
		goto _test_eof68;
case 68:
	switch( (*p) ) {
		case 62: goto st25;
		case 98: goto st49;
		case 107: goto st50;
		case 108: goto st51;
		case 109: goto st53;
		case 111: goto st52;
	}
	goto st48;
st69:
	if ( ++p == pe )
		goto _test_eof69;
case 69:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 117: goto st70;
	}
	goto st21;
st70:
	if ( ++p == pe )
		goto _test_eof70;
case 70:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 118: goto st71;
	}
	goto st21;
st71:
	if ( ++p == pe )
		goto _test_eof71;
case 71:
	switch( (*p) ) {
		case 97: goto st72;
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st72:
	if ( ++p == pe )
		goto _test_eof72;
case 72:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 114: goto st73;
	}
	goto st21;
st73:
	if ( ++p == pe )
		goto _test_eof73;
case 73:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 110: goto st74;
	}
	goto st21;
st74:
	if ( ++p == pe )
		goto _test_eof74;
case 74:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 117: goto st75;
	}
	goto st21;
st75:
	if ( ++p == pe )
		goto _test_eof75;
case 75:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 114: goto st76;
	}
	goto st21;
st76:
	if ( ++p == pe )
		goto _test_eof76;
case 76:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 116: goto st77;
	}
	goto st21;
st77:
	if ( ++p == pe )
		goto _test_eof77;
case 77:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 111: goto st78;
	}
	goto st21;
st78:
	if ( ++p == pe )
		goto _test_eof78;
case 78:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 110: goto st48;
	}
	goto st21;
st79:
	if ( ++p == pe )
		goto _test_eof79;
case 79:
	switch( (*p) ) {
		case 61: goto st80;
		case 97: goto st79;
		case 98: goto st22;
		case 107: goto st86;
		case 108: goto st89;
		case 109: goto st26;
		case 117: goto st88;
		case 118: goto st91;
		case 122: goto st88;
	}
	if ( 110 <= (*p) && (*p) <= 111 )
		goto st88;
	goto st21;
st80:
	if ( ++p == pe )
		goto _test_eof80;
case 80:
	switch( (*p) ) {
		case 59: goto st3446;
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st81;
		case 109: goto st26;
		case 118: goto st24;
	}
	goto st21;
st81:
	if ( ++p == pe )
		goto _test_eof81;
case 81:
	switch( (*p) ) {
		case 97: goto st82;
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st82:
	if ( ++p == pe )
		goto _test_eof82;
case 82:
	switch( (*p) ) {
		case 59: goto st3446;
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 110: goto st83;
	}
	goto st21;
st83:
	if ( ++p == pe )
		goto _test_eof83;
case 83:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st84;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st84:
	if ( ++p == pe )
		goto _test_eof84;
case 84:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 117: goto st85;
	}
	goto st21;
st85:
	if ( ++p == pe )
		goto _test_eof85;
case 85:
	switch( (*p) ) {
		case 59: goto st3446;
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 122: goto st41;
	}
	goto st21;
st86:
	if ( ++p == pe )
		goto _test_eof86;
case 86:
	switch( (*p) ) {
		case 61: goto st87;
		case 97: goto st88;
		case 98: goto st22;
		case 107: goto st86;
		case 108: goto st89;
		case 109: goto st26;
		case 117: goto st90;
		case 122: goto st88;
	}
	if ( 110 <= (*p) && (*p) <= 111 )
		goto st88;
	goto st21;
st87:
	if ( ++p == pe )
		goto _test_eof87;
case 87:
	switch( (*p) ) {
		case 59: goto st3446;
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st81;
		case 109: goto st26;
	}
	goto st21;
st88:
	if ( ++p == pe )
		goto _test_eof88;
case 88:
	switch( (*p) ) {
		case 61: goto st87;
		case 97: goto st88;
		case 98: goto st22;
		case 107: goto st86;
		case 108: goto st89;
		case 109: goto st26;
		case 117: goto st88;
		case 122: goto st88;
	}
	if ( 110 <= (*p) && (*p) <= 111 )
		goto st88;
	goto st21;
st89:
	if ( ++p == pe )
		goto _test_eof89;
case 89:
	switch( (*p) ) {
		case 61: goto st87;
		case 97: goto st90;
		case 98: goto st22;
		case 107: goto st86;
		case 108: goto st89;
		case 109: goto st26;
		case 117: goto st88;
		case 122: goto st88;
	}
	if ( 110 <= (*p) && (*p) <= 111 )
		goto st88;
	goto st21;
st90:
	if ( ++p == pe )
		goto _test_eof90;
case 90:
	switch( (*p) ) {
		case 59: goto st3446;
		case 61: goto st87;
		case 97: goto st88;
		case 98: goto st22;
		case 107: goto st86;
		case 108: goto st89;
		case 109: goto st26;
		case 117: goto st88;
		case 122: goto st88;
	}
	if ( 110 <= (*p) && (*p) <= 111 )
		goto st88;
	goto st21;
st91:
	if ( ++p == pe )
		goto _test_eof91;
case 91:
	switch( (*p) ) {
		case 61: goto st92;
		case 97: goto st91;
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 118: goto st91;
	}
	goto st21;
st92:
	if ( ++p == pe )
		goto _test_eof92;
case 92:
	switch( (*p) ) {
		case 59: goto st3446;
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 118: goto st24;
	}
	goto st21;
st93:
	if ( ++p == pe )
		goto _test_eof93;
case 93:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 117: goto st94;
	}
	goto st21;
st94:
	if ( ++p == pe )
		goto _test_eof94;
case 94:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 110: goto st95;
	}
	goto st21;
st95:
	if ( ++p == pe )
		goto _test_eof95;
case 95:
	switch( (*p) ) {
		case 97: goto st96;
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st96:
	if ( ++p == pe )
		goto _test_eof96;
case 96:
	switch( (*p) ) {
		case 97: goto st97;
		case 98: goto st121;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st97:
	if ( ++p == pe )
		goto _test_eof97;
case 97:
	switch( (*p) ) {
		case 98: goto st22;
		case 100: goto st98;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st98:
	if ( ++p == pe )
		goto _test_eof98;
case 98:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 117: goto st99;
	}
	goto st21;
st99:
	if ( ++p == pe )
		goto _test_eof99;
case 99:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 110: goto st100;
	}
	goto st21;
st100:
	if ( ++p == pe )
		goto _test_eof100;
case 100:
	switch( (*p) ) {
		case 97: goto st101;
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st101:
	if ( ++p == pe )
		goto _test_eof101;
case 101:
	switch( (*p) ) {
		case 97: goto st102;
		case 98: goto st120;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st102:
	if ( ++p == pe )
		goto _test_eof102;
case 102:
	switch( (*p) ) {
		case 59: goto st3446;
		case 98: goto st22;
		case 100: goto st103;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st103:
	if ( ++p == pe )
		goto _test_eof103;
case 103:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 117: goto st104;
	}
	goto st21;
st104:
	if ( ++p == pe )
		goto _test_eof104;
case 104:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 110: goto st105;
	}
	goto st21;
st105:
	if ( ++p == pe )
		goto _test_eof105;
case 105:
	switch( (*p) ) {
		case 97: goto st106;
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st106:
	if ( ++p == pe )
		goto _test_eof106;
case 106:
	switch( (*p) ) {
		case 97: goto st107;
		case 98: goto st119;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st107:
	if ( ++p == pe )
		goto _test_eof107;
case 107:
	switch( (*p) ) {
		case 59: goto st3446;
		case 98: goto st22;
		case 100: goto st108;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st108:
	if ( ++p == pe )
		goto _test_eof108;
case 108:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 117: goto st109;
	}
	goto st21;
st109:
	if ( ++p == pe )
		goto _test_eof109;
case 109:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 110: goto st110;
	}
	goto st21;
st110:
	if ( ++p == pe )
		goto _test_eof110;
case 110:
	switch( (*p) ) {
		case 97: goto st111;
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st111:
	if ( ++p == pe )
		goto _test_eof111;
case 111:
	switch( (*p) ) {
		case 97: goto st112;
		case 98: goto st118;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st112:
	if ( ++p == pe )
		goto _test_eof112;
case 112:
	switch( (*p) ) {
		case 59: goto st3446;
		case 98: goto st22;
		case 100: goto st113;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st113:
	if ( ++p == pe )
		goto _test_eof113;
case 113:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 117: goto st114;
	}
	goto st21;
st114:
	if ( ++p == pe )
		goto _test_eof114;
case 114:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 110: goto st115;
	}
	goto st21;
st115:
	if ( ++p == pe )
		goto _test_eof115;
case 115:
	switch( (*p) ) {
		case 97: goto st116;
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st116:
	if ( ++p == pe )
		goto _test_eof116;
case 116:
	switch( (*p) ) {
		case 97: goto st25;
		case 98: goto st117;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st117:
	if ( ++p == pe )
		goto _test_eof117;
case 117:
	switch( (*p) ) {
		case 59: goto st3446;
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 117: goto st34;
	}
	goto st21;
st118:
	if ( ++p == pe )
		goto _test_eof118;
case 118:
	switch( (*p) ) {
		case 59: goto st3446;
		case 98: goto st22;
		case 100: goto st113;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 117: goto st34;
	}
	goto st21;
st119:
	if ( ++p == pe )
		goto _test_eof119;
case 119:
	switch( (*p) ) {
		case 59: goto st3446;
		case 98: goto st22;
		case 100: goto st108;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 117: goto st34;
	}
	goto st21;
st120:
	if ( ++p == pe )
		goto _test_eof120;
case 120:
	switch( (*p) ) {
		case 59: goto st3446;
		case 98: goto st22;
		case 100: goto st103;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 117: goto st34;
	}
	goto st21;
st121:
	if ( ++p == pe )
		goto _test_eof121;
case 121:
	switch( (*p) ) {
		case 98: goto st22;
		case 100: goto st98;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 117: goto st34;
	}
	goto st21;
st122:
	if ( ++p == pe )
		goto _test_eof122;
case 122:
	switch( (*p) ) {
		case 98: goto st22;
		case 105: goto st123;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 117: goto st174;
	}
	goto st21;
st123:
	if ( ++p == pe )
		goto _test_eof123;
case 123:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st124;
		case 110: goto st28;
	}
	goto st21;
st124:
	if ( ++p == pe )
		goto _test_eof124;
case 124:
	switch( (*p) ) {
		case 97: goto st125;
		case 98: goto st22;
		case 105: goto st27;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st125:
	if ( ++p == pe )
		goto _test_eof125;
case 125:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 110: goto st126;
	}
	goto st21;
st126:
	if ( ++p == pe )
		goto _test_eof126;
case 126:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 115: goto st127;
	}
	goto st21;
st127:
	if ( ++p == pe )
		goto _test_eof127;
case 127:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 111: goto st128;
	}
	goto st21;
st128:
	if ( ++p == pe )
		goto _test_eof128;
case 128:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 122: goto st129;
	}
	goto st21;
st129:
	if ( ++p == pe )
		goto _test_eof129;
case 129:
	switch( (*p) ) {
		case 98: goto st22;
		case 105: goto st130;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st130:
	if ( ++p == pe )
		goto _test_eof130;
case 130:
	switch( (*p) ) {
		case 97: goto st131;
		case 98: goto st173;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st131:
	if ( ++p == pe )
		goto _test_eof131;
case 131:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st132;
	}
	goto st21;
st132:
	if ( ++p == pe )
		goto _test_eof132;
case 132:
	switch( (*p) ) {
		case 98: goto st22;
		case 105: goto st133;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st133:
	if ( ++p == pe )
		goto _test_eof133;
case 133:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st134;
		case 110: goto st28;
	}
	goto st21;
st134:
	if ( ++p == pe )
		goto _test_eof134;
case 134:
	switch( (*p) ) {
		case 97: goto st135;
		case 98: goto st22;
		case 105: goto st27;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st135:
	if ( ++p == pe )
		goto _test_eof135;
case 135:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 110: goto st136;
	}
	goto st21;
st136:
	if ( ++p == pe )
		goto _test_eof136;
case 136:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 115: goto st137;
	}
	goto st21;
st137:
	if ( ++p == pe )
		goto _test_eof137;
case 137:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 111: goto st138;
	}
	goto st21;
st138:
	if ( ++p == pe )
		goto _test_eof138;
case 138:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 122: goto st139;
	}
	goto st21;
st139:
	if ( ++p == pe )
		goto _test_eof139;
case 139:
	switch( (*p) ) {
		case 98: goto st22;
		case 105: goto st140;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st140:
	if ( ++p == pe )
		goto _test_eof140;
case 140:
	switch( (*p) ) {
		case 97: goto st141;
		case 98: goto st172;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st141:
	if ( ++p == pe )
		goto _test_eof141;
case 141:
	switch( (*p) ) {
		case 59: goto st3446;
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st142;
	}
	goto st21;
st142:
	if ( ++p == pe )
		goto _test_eof142;
case 142:
	switch( (*p) ) {
		case 98: goto st22;
		case 105: goto st143;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st143:
	if ( ++p == pe )
		goto _test_eof143;
case 143:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st144;
		case 110: goto st28;
	}
	goto st21;
st144:
	if ( ++p == pe )
		goto _test_eof144;
case 144:
	switch( (*p) ) {
		case 97: goto st145;
		case 98: goto st22;
		case 105: goto st27;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st145:
	if ( ++p == pe )
		goto _test_eof145;
case 145:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 110: goto st146;
	}
	goto st21;
st146:
	if ( ++p == pe )
		goto _test_eof146;
case 146:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 115: goto st147;
	}
	goto st21;
st147:
	if ( ++p == pe )
		goto _test_eof147;
case 147:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 111: goto st148;
	}
	goto st21;
st148:
	if ( ++p == pe )
		goto _test_eof148;
case 148:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 122: goto st149;
	}
	goto st21;
st149:
	if ( ++p == pe )
		goto _test_eof149;
case 149:
	switch( (*p) ) {
		case 98: goto st22;
		case 105: goto st150;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st150:
	if ( ++p == pe )
		goto _test_eof150;
case 150:
	switch( (*p) ) {
		case 97: goto st151;
		case 98: goto st171;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st151:
	if ( ++p == pe )
		goto _test_eof151;
case 151:
	switch( (*p) ) {
		case 59: goto st3446;
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st152;
	}
	goto st21;
st152:
	if ( ++p == pe )
		goto _test_eof152;
case 152:
	switch( (*p) ) {
		case 98: goto st22;
		case 105: goto st153;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st153:
	if ( ++p == pe )
		goto _test_eof153;
case 153:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st154;
		case 110: goto st28;
	}
	goto st21;
st154:
	if ( ++p == pe )
		goto _test_eof154;
case 154:
	switch( (*p) ) {
		case 97: goto st155;
		case 98: goto st22;
		case 105: goto st27;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st155:
	if ( ++p == pe )
		goto _test_eof155;
case 155:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 110: goto st156;
	}
	goto st21;
st156:
	if ( ++p == pe )
		goto _test_eof156;
case 156:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 115: goto st157;
	}
	goto st21;
st157:
	if ( ++p == pe )
		goto _test_eof157;
case 157:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 111: goto st158;
	}
	goto st21;
st158:
	if ( ++p == pe )
		goto _test_eof158;
case 158:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 122: goto st159;
	}
	goto st21;
st159:
	if ( ++p == pe )
		goto _test_eof159;
case 159:
	switch( (*p) ) {
		case 98: goto st22;
		case 105: goto st160;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st160:
	if ( ++p == pe )
		goto _test_eof160;
case 160:
	switch( (*p) ) {
		case 97: goto st161;
		case 98: goto st170;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st161:
	if ( ++p == pe )
		goto _test_eof161;
case 161:
	switch( (*p) ) {
		case 59: goto st3446;
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st162;
	}
	goto st21;
st162:
	if ( ++p == pe )
		goto _test_eof162;
case 162:
	switch( (*p) ) {
		case 98: goto st22;
		case 105: goto st163;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st163:
	if ( ++p == pe )
		goto _test_eof163;
case 163:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st164;
		case 110: goto st28;
	}
	goto st21;
st164:
	if ( ++p == pe )
		goto _test_eof164;
case 164:
	switch( (*p) ) {
		case 97: goto st165;
		case 98: goto st22;
		case 105: goto st27;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st165:
	if ( ++p == pe )
		goto _test_eof165;
case 165:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 110: goto st166;
	}
	goto st21;
st166:
	if ( ++p == pe )
		goto _test_eof166;
case 166:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 115: goto st167;
	}
	goto st21;
st167:
	if ( ++p == pe )
		goto _test_eof167;
case 167:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 111: goto st168;
	}
	goto st21;
st168:
	if ( ++p == pe )
		goto _test_eof168;
case 168:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 122: goto st169;
	}
	goto st21;
st169:
	if ( ++p == pe )
		goto _test_eof169;
case 169:
	switch( (*p) ) {
		case 98: goto st22;
		case 105: goto st116;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st170:
	if ( ++p == pe )
		goto _test_eof170;
case 170:
	switch( (*p) ) {
		case 59: goto st3446;
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st162;
		case 117: goto st34;
	}
	goto st21;
st171:
	if ( ++p == pe )
		goto _test_eof171;
case 171:
	switch( (*p) ) {
		case 59: goto st3446;
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st152;
		case 117: goto st34;
	}
	goto st21;
st172:
	if ( ++p == pe )
		goto _test_eof172;
case 172:
	switch( (*p) ) {
		case 59: goto st3446;
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st142;
		case 117: goto st34;
	}
	goto st21;
st173:
	if ( ++p == pe )
		goto _test_eof173;
case 173:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st132;
		case 117: goto st34;
	}
	goto st21;
st174:
	if ( ++p == pe )
		goto _test_eof174;
case 174:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st175;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st175:
	if ( ++p == pe )
		goto _test_eof175;
case 175:
	switch( (*p) ) {
		case 98: goto st22;
		case 101: goto st176;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 117: goto st25;
	}
	goto st21;
st176:
	if ( ++p == pe )
		goto _test_eof176;
case 176:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 114: goto st177;
	}
	goto st21;
st177:
	if ( ++p == pe )
		goto _test_eof177;
case 177:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 122: goto st178;
	}
	goto st21;
st178:
	if ( ++p == pe )
		goto _test_eof178;
case 178:
	switch( (*p) ) {
		case 97: goto st179;
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st179:
	if ( ++p == pe )
		goto _test_eof179;
case 179:
	switch( (*p) ) {
		case 97: goto st180;
		case 98: goto st213;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st180:
	if ( ++p == pe )
		goto _test_eof180;
case 180:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st181;
	}
	goto st21;
st181:
	if ( ++p == pe )
		goto _test_eof181;
case 181:
	switch( (*p) ) {
		case 98: goto st22;
		case 105: goto st27;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 117: goto st182;
	}
	goto st21;
st182:
	if ( ++p == pe )
		goto _test_eof182;
case 182:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st183;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st183:
	if ( ++p == pe )
		goto _test_eof183;
case 183:
	switch( (*p) ) {
		case 98: goto st22;
		case 101: goto st184;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 117: goto st25;
	}
	goto st21;
st184:
	if ( ++p == pe )
		goto _test_eof184;
case 184:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 114: goto st185;
	}
	goto st21;
st185:
	if ( ++p == pe )
		goto _test_eof185;
case 185:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 122: goto st186;
	}
	goto st21;
st186:
	if ( ++p == pe )
		goto _test_eof186;
case 186:
	switch( (*p) ) {
		case 97: goto st187;
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st187:
	if ( ++p == pe )
		goto _test_eof187;
case 187:
	switch( (*p) ) {
		case 97: goto st188;
		case 98: goto st212;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st188:
	if ( ++p == pe )
		goto _test_eof188;
case 188:
	switch( (*p) ) {
		case 59: goto st3446;
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st189;
	}
	goto st21;
st189:
	if ( ++p == pe )
		goto _test_eof189;
case 189:
	switch( (*p) ) {
		case 98: goto st22;
		case 105: goto st27;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 117: goto st190;
	}
	goto st21;
st190:
	if ( ++p == pe )
		goto _test_eof190;
case 190:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st191;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st191:
	if ( ++p == pe )
		goto _test_eof191;
case 191:
	switch( (*p) ) {
		case 98: goto st22;
		case 101: goto st192;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 117: goto st25;
	}
	goto st21;
st192:
	if ( ++p == pe )
		goto _test_eof192;
case 192:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 114: goto st193;
	}
	goto st21;
st193:
	if ( ++p == pe )
		goto _test_eof193;
case 193:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 122: goto st194;
	}
	goto st21;
st194:
	if ( ++p == pe )
		goto _test_eof194;
case 194:
	switch( (*p) ) {
		case 97: goto st195;
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st195:
	if ( ++p == pe )
		goto _test_eof195;
case 195:
	switch( (*p) ) {
		case 97: goto st196;
		case 98: goto st211;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st196:
	if ( ++p == pe )
		goto _test_eof196;
case 196:
	switch( (*p) ) {
		case 59: goto st3446;
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st197;
	}
	goto st21;
st197:
	if ( ++p == pe )
		goto _test_eof197;
case 197:
	switch( (*p) ) {
		case 98: goto st22;
		case 105: goto st27;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 117: goto st198;
	}
	goto st21;
st198:
	if ( ++p == pe )
		goto _test_eof198;
case 198:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st199;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st199:
	if ( ++p == pe )
		goto _test_eof199;
case 199:
	switch( (*p) ) {
		case 98: goto st22;
		case 101: goto st200;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 117: goto st25;
	}
	goto st21;
st200:
	if ( ++p == pe )
		goto _test_eof200;
case 200:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 114: goto st201;
	}
	goto st21;
st201:
	if ( ++p == pe )
		goto _test_eof201;
case 201:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 122: goto st202;
	}
	goto st21;
st202:
	if ( ++p == pe )
		goto _test_eof202;
case 202:
	switch( (*p) ) {
		case 97: goto st203;
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st203:
	if ( ++p == pe )
		goto _test_eof203;
case 203:
	switch( (*p) ) {
		case 97: goto st204;
		case 98: goto st210;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st204:
	if ( ++p == pe )
		goto _test_eof204;
case 204:
	switch( (*p) ) {
		case 59: goto st3446;
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st205;
	}
	goto st21;
st205:
	if ( ++p == pe )
		goto _test_eof205;
case 205:
	switch( (*p) ) {
		case 98: goto st22;
		case 105: goto st27;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 117: goto st206;
	}
	goto st21;
st206:
	if ( ++p == pe )
		goto _test_eof206;
case 206:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st207;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st207:
	if ( ++p == pe )
		goto _test_eof207;
case 207:
	switch( (*p) ) {
		case 98: goto st22;
		case 101: goto st208;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 117: goto st25;
	}
	goto st21;
st208:
	if ( ++p == pe )
		goto _test_eof208;
case 208:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 114: goto st209;
	}
	goto st21;
st209:
	if ( ++p == pe )
		goto _test_eof209;
case 209:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 122: goto st115;
	}
	goto st21;
st210:
	if ( ++p == pe )
		goto _test_eof210;
case 210:
	switch( (*p) ) {
		case 59: goto st3446;
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st205;
		case 117: goto st34;
	}
	goto st21;
st211:
	if ( ++p == pe )
		goto _test_eof211;
case 211:
	switch( (*p) ) {
		case 59: goto st3446;
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st197;
		case 117: goto st34;
	}
	goto st21;
st212:
	if ( ++p == pe )
		goto _test_eof212;
case 212:
	switch( (*p) ) {
		case 59: goto st3446;
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st189;
		case 117: goto st34;
	}
	goto st21;
st213:
	if ( ++p == pe )
		goto _test_eof213;
case 213:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st181;
		case 117: goto st34;
	}
	goto st21;
st214:
	if ( ++p == pe )
		goto _test_eof214;
case 214:
	switch( (*p) ) {
		case 98: goto st22;
		case 105: goto st215;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st215:
	if ( ++p == pe )
		goto _test_eof215;
case 215:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 116: goto st216;
	}
	goto st21;
st216:
	if ( ++p == pe )
		goto _test_eof216;
case 216:
	switch( (*p) ) {
		case 98: goto st22;
		case 101: goto st217;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st217:
	if ( ++p == pe )
		goto _test_eof217;
case 217:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 110: goto st218;
	}
	goto st21;
st218:
	if ( ++p == pe )
		goto _test_eof218;
case 218:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st219;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st219:
	if ( ++p == pe )
		goto _test_eof219;
case 219:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 111: goto st220;
		case 117: goto st25;
	}
	goto st21;
st220:
	if ( ++p == pe )
		goto _test_eof220;
case 220:
	switch( (*p) ) {
		case 98: goto st221;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	goto st21;
st221:
	if ( ++p == pe )
		goto _test_eof221;
case 221:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 117: goto st222;
	}
	goto st21;
st222:
	if ( ++p == pe )
		goto _test_eof222;
case 222:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 110: goto st35;
		case 115: goto st223;
	}
	goto st21;
st223:
	if ( ++p == pe )
		goto _test_eof223;
case 223:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
		case 116: goto st224;
	}
	goto st21;
st224:
	if ( ++p == pe )
		goto _test_eof224;
case 224:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	if ( 48 <= (*p) && (*p) <= 57 )
		goto st225;
	goto st21;
st225:
	if ( ++p == pe )
		goto _test_eof225;
case 225:
	switch( (*p) ) {
		case 46: goto st226;
		case 59: goto st3446;
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	if ( 48 <= (*p) && (*p) <= 57 )
		goto st225;
	goto st21;
st226:
	if ( ++p == pe )
		goto _test_eof226;
case 226:
	switch( (*p) ) {
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	if ( 48 <= (*p) && (*p) <= 57 )
		goto st227;
	goto st21;
st227:
	if ( ++p == pe )
		goto _test_eof227;
case 227:
	switch( (*p) ) {
		case 59: goto st3446;
		case 98: goto st22;
		case 107: goto st23;
		case 108: goto st24;
		case 109: goto st26;
	}
	if ( 48 <= (*p) && (*p) <= 57 )
		goto st227;
	goto st21;
st228:
	if ( ++p == pe )
		goto _test_eof228;
case 228:
	if ( (*p) == 101 )
		goto st229;
	goto st0;
st229:
	if ( ++p == pe )
		goto _test_eof229;
case 229:
	if ( (*p) == 115 )
		goto st230;
	goto st0;
st230:
	if ( ++p == pe )
		goto _test_eof230;
case 230:
	if ( (*p) == 116 )
		goto st231;
	goto st0;
st231:
	if ( ++p == pe )
		goto _test_eof231;
case 231:
	if ( (*p) == 109 )
		goto st232;
	goto st0;
st232:
	if ( ++p == pe )
		goto _test_eof232;
case 232:
	if ( (*p) == 97 )
		goto st233;
	goto st0;
st233:
	if ( ++p == pe )
		goto _test_eof233;
case 233:
	if ( (*p) == 110 )
		goto st234;
	goto st0;
st234:
	if ( ++p == pe )
		goto _test_eof234;
case 234:
	if ( (*p) == 103 )
		goto st235;
	goto st0;
st235:
	if ( ++p == pe )
		goto _test_eof235;
case 235:
	if ( (*p) == 101 )
		goto tr254;
	goto st0;
st236:
	if ( ++p == pe )
		goto _test_eof236;
case 236:
	switch( (*p) ) {
		case 100: goto st237;
		case 110: goto st260;
		case 114: goto st274;
		case 115: goto st282;
	}
	goto st0;
st237:
	if ( ++p == pe )
		goto _test_eof237;
case 237:
	if ( (*p) == 97 )
		goto st238;
	goto st0;
st238:
	if ( ++p == pe )
		goto _test_eof238;
case 238:
	if ( (*p) == 115 )
		goto st239;
	goto st0;
st239:
	if ( ++p == pe )
		goto _test_eof239;
case 239:
	if ( (*p) == 116 )
		goto st240;
	goto st0;
st240:
	if ( ++p == pe )
		goto _test_eof240;
case 240:
	if ( (*p) == 122 )
		goto st241;
	goto st0;
st241:
	if ( ++p == pe )
		goto _test_eof241;
case 241:
	if ( (*p) == 105 )
		goto st242;
	goto st0;
st242:
	if ( ++p == pe )
		goto _test_eof242;
case 242:
	if ( (*p) == 115 )
		goto st243;
	goto st0;
st243:
	if ( ++p == pe )
		goto _test_eof243;
case 243:
	if ( (*p) == 116 )
		goto st244;
	goto st0;
st244:
	if ( ++p == pe )
		goto _test_eof244;
case 244:
	if ( (*p) == 109 )
		goto st245;
	goto st0;
st245:
	if ( ++p == pe )
		goto _test_eof245;
case 245:
	if ( (*p) == 105 )
		goto st246;
	goto st0;
st246:
	if ( ++p == pe )
		goto _test_eof246;
case 246:
	if ( (*p) == 118 )
		goto st247;
	goto st0;
st247:
	if ( ++p == pe )
		goto _test_eof247;
case 247:
	if ( (*p) == 105 )
		goto st248;
	goto st0;
st248:
	if ( ++p == pe )
		goto _test_eof248;
case 248:
	if ( (*p) == 115 )
		goto st249;
	goto st0;
st249:
	if ( ++p == pe )
		goto _test_eof249;
case 249:
	if ( (*p) == 116 )
		goto st250;
	goto st0;
st250:
	if ( ++p == pe )
		goto _test_eof250;
case 250:
	if ( (*p) == 110 )
		goto st251;
	goto st0;
st251:
	if ( ++p == pe )
		goto _test_eof251;
case 251:
	if ( (*p) == 97 )
		goto st252;
	goto st0;
st252:
	if ( ++p == pe )
		goto _test_eof252;
case 252:
	if ( (*p) == 115 )
		goto st253;
	goto st0;
st253:
	if ( ++p == pe )
		goto _test_eof253;
case 253:
	if ( (*p) == 116 )
		goto st254;
	goto st0;
st254:
	if ( ++p == pe )
		goto _test_eof254;
case 254:
	if ( (*p) == 108 )
		goto st255;
	goto st0;
st255:
	if ( ++p == pe )
		goto _test_eof255;
case 255:
	if ( (*p) == 111 )
		goto st256;
	goto st0;
st256:
	if ( ++p == pe )
		goto _test_eof256;
case 256:
	if ( (*p) == 115 )
		goto st257;
	goto st0;
st257:
	if ( ++p == pe )
		goto _test_eof257;
case 257:
	if ( (*p) == 116 )
		goto st258;
	goto st0;
st258:
	if ( ++p == pe )
		goto _test_eof258;
case 258:
	if ( (*p) == 114 )
		goto st259;
	goto st0;
st259:
	if ( ++p == pe )
		goto _test_eof259;
case 259:
	if ( (*p) == 101 )
		goto tr281;
	goto st0;
st260:
	if ( ++p == pe )
		goto _test_eof260;
case 260:
	if ( (*p) == 100 )
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
	if ( (*p) == 110 )
		goto st263;
	goto st0;
st263:
	if ( ++p == pe )
		goto _test_eof263;
case 263:
	if ( (*p) == 122 )
		goto st264;
	goto st0;
st264:
	if ( ++p == pe )
		goto _test_eof264;
case 264:
	if ( (*p) == 97 )
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
	if ( (*p) == 116 )
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
	if ( (*p) == 101 )
		goto st269;
	goto st0;
st269:
	if ( ++p == pe )
		goto _test_eof269;
case 269:
	if ( (*p) == 115 )
		goto st270;
	goto st0;
st270:
	if ( ++p == pe )
		goto _test_eof270;
case 270:
	if ( (*p) == 117 )
		goto st271;
	goto st0;
st271:
	if ( ++p == pe )
		goto _test_eof271;
case 271:
	if ( (*p) == 114 )
		goto st272;
	goto st0;
st272:
	if ( ++p == pe )
		goto _test_eof272;
case 272:
	if ( (*p) == 98 )
		goto st273;
	goto st0;
st273:
	if ( ++p == pe )
		goto _test_eof273;
case 273:
	if ( (*p) == 117 )
		goto tr295;
	goto st0;
st274:
	if ( ++p == pe )
		goto _test_eof274;
case 274:
	if ( (*p) == 122 )
		goto st275;
	goto st0;
st275:
	if ( ++p == pe )
		goto _test_eof275;
case 275:
	if ( (*p) == 101 )
		goto st276;
	goto st0;
st276:
	if ( ++p == pe )
		goto _test_eof276;
case 276:
	if ( (*p) == 114 )
		goto st277;
	goto st0;
st277:
	if ( ++p == pe )
		goto _test_eof277;
case 277:
	if ( (*p) == 105 )
		goto st278;
	goto st0;
st278:
	if ( ++p == pe )
		goto _test_eof278;
case 278:
	if ( (*p) == 98 )
		goto st279;
	goto st0;
st279:
	if ( ++p == pe )
		goto _test_eof279;
case 279:
	if ( (*p) == 105 )
		goto st280;
	goto st0;
st280:
	if ( ++p == pe )
		goto _test_eof280;
case 280:
	if ( (*p) == 115 )
		goto st281;
	goto st0;
st281:
	if ( ++p == pe )
		goto _test_eof281;
case 281:
	if ( (*p) == 116 )
		goto tr303;
	goto st0;
st282:
	if ( ++p == pe )
		goto _test_eof282;
case 282:
	if ( (*p) == 116 )
		goto st283;
	goto st0;
st283:
	if ( ++p == pe )
		goto _test_eof283;
case 283:
	if ( (*p) == 102 )
		goto st284;
	goto st0;
st284:
	if ( ++p == pe )
		goto _test_eof284;
case 284:
	if ( (*p) == 101 )
		goto st285;
	goto st0;
st285:
	if ( ++p == pe )
		goto _test_eof285;
case 285:
	if ( (*p) == 122 )
		goto st286;
	goto st0;
st286:
	if ( ++p == pe )
		goto _test_eof286;
case 286:
	if ( (*p) == 117 )
		goto st287;
	goto st0;
st287:
	if ( ++p == pe )
		goto _test_eof287;
case 287:
	if ( (*p) == 115 )
		goto st288;
	goto st0;
st288:
	if ( ++p == pe )
		goto _test_eof288;
case 288:
	if ( (*p) == 116 )
		goto st289;
	goto st0;
st289:
	if ( ++p == pe )
		goto _test_eof289;
case 289:
	if ( (*p) == 109 )
		goto st290;
	goto st0;
st290:
	if ( ++p == pe )
		goto _test_eof290;
case 290:
	if ( (*p) == 117 )
		goto st291;
	goto st0;
st291:
	if ( ++p == pe )
		goto _test_eof291;
case 291:
	if ( (*p) == 114 )
		goto st292;
	goto st0;
st292:
	if ( ++p == pe )
		goto _test_eof292;
case 292:
	if ( (*p) == 103 )
		goto st293;
	goto st0;
st293:
	if ( ++p == pe )
		goto _test_eof293;
case 293:
	if ( (*p) == 117 )
		goto st294;
	goto st0;
st294:
	if ( ++p == pe )
		goto _test_eof294;
case 294:
	if ( (*p) == 110 )
		goto st295;
	goto st0;
st295:
	if ( ++p == pe )
		goto _test_eof295;
case 295:
	if ( (*p) == 103 )
		goto st296;
	goto st0;
st296:
	if ( ++p == pe )
		goto _test_eof296;
case 296:
	if ( (*p) == 101 )
		goto st297;
	goto st0;
st297:
	if ( ++p == pe )
		goto _test_eof297;
case 297:
	if ( (*p) == 114 )
		goto st298;
	goto st0;
st298:
	if ( ++p == pe )
		goto _test_eof298;
case 298:
	if ( (*p) == 109 )
		goto st299;
	goto st0;
st299:
	if ( ++p == pe )
		goto _test_eof299;
case 299:
	if ( (*p) == 97 )
		goto tr321;
	goto st0;
st300:
	if ( ++p == pe )
		goto _test_eof300;
case 300:
	switch( (*p) ) {
		case 98: goto st301;
		case 109: goto st307;
		case 110: goto st321;
		case 112: goto st326;
		case 114: goto st335;
		case 115: goto st346;
		case 116: goto st362;
	}
	goto st0;
st301:
	if ( ++p == pe )
		goto _test_eof301;
case 301:
	if ( (*p) == 105 )
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
	if ( (*p) == 97 )
		goto st304;
	goto st0;
st304:
	if ( ++p == pe )
		goto _test_eof304;
case 304:
	if ( (*p) == 115 )
		goto st305;
	goto st0;
st305:
	if ( ++p == pe )
		goto _test_eof305;
case 305:
	if ( (*p) == 97 )
		goto st306;
	goto st0;
st306:
	if ( ++p == pe )
		goto _test_eof306;
case 306:
	if ( (*p) == 110 )
		goto tr334;
	goto st0;
st307:
	if ( ++p == pe )
		goto _test_eof307;
case 307:
	if ( (*p) == 97 )
		goto st308;
	goto st0;
st308:
	if ( ++p == pe )
		goto _test_eof308;
case 308:
	if ( (*p) == 115 )
		goto st309;
	goto st0;
st309:
	if ( ++p == pe )
		goto _test_eof309;
case 309:
	if ( (*p) == 116 )
		goto st310;
	goto st0;
st310:
	if ( ++p == pe )
		goto _test_eof310;
case 310:
	if ( (*p) == 114 )
		goto st311;
	goto st0;
st311:
	if ( ++p == pe )
		goto _test_eof311;
case 311:
	if ( (*p) == 111 )
		goto st312;
	goto st0;
st312:
	if ( ++p == pe )
		goto _test_eof312;
case 312:
	if ( (*p) == 110 )
		goto st313;
	goto st0;
st313:
	if ( ++p == pe )
		goto _test_eof313;
case 313:
	if ( (*p) == 114 )
		goto st314;
	goto st0;
st314:
	if ( ++p == pe )
		goto _test_eof314;
case 314:
	if ( (*p) == 97 )
		goto st315;
	goto st0;
st315:
	if ( ++p == pe )
		goto _test_eof315;
case 315:
	if ( (*p) == 108 )
		goto st316;
	goto st0;
st316:
	if ( ++p == pe )
		goto _test_eof316;
case 316:
	if ( (*p) == 111 )
		goto st317;
	goto st0;
st317:
	if ( ++p == pe )
		goto _test_eof317;
case 317:
	if ( (*p) == 110 )
		goto st318;
	goto st0;
st318:
	if ( ++p == pe )
		goto _test_eof318;
case 318:
	if ( (*p) == 100 )
		goto st319;
	goto st0;
st319:
	if ( ++p == pe )
		goto _test_eof319;
case 319:
	if ( (*p) == 105 )
		goto st320;
	goto st0;
st320:
	if ( ++p == pe )
		goto _test_eof320;
case 320:
	if ( (*p) == 110 )
		goto tr348;
	goto st0;
st321:
	if ( ++p == pe )
		goto _test_eof321;
case 321:
	if ( (*p) == 114 )
		goto st322;
	goto st0;
st322:
	if ( ++p == pe )
		goto _test_eof322;
case 322:
	if ( (*p) == 117 )
		goto st323;
	goto st0;
st323:
	if ( ++p == pe )
		goto _test_eof323;
case 323:
	if ( (*p) == 114 )
		goto st324;
	goto st0;
st324:
	if ( ++p == pe )
		goto _test_eof324;
case 324:
	if ( (*p) == 110 )
		goto st325;
	goto st0;
st325:
	if ( ++p == pe )
		goto _test_eof325;
case 325:
	if ( (*p) == 97 )
		goto tr353;
	goto st0;
st326:
	if ( ++p == pe )
		goto _test_eof326;
case 326:
	if ( (*p) == 105 )
		goto st327;
	goto st0;
st327:
	if ( ++p == pe )
		goto _test_eof327;
case 327:
	if ( (*p) == 114 )
		goto st328;
	goto st0;
st328:
	if ( ++p == pe )
		goto _test_eof328;
case 328:
	if ( (*p) == 108 )
		goto st329;
	goto st0;
st329:
	if ( ++p == pe )
		goto _test_eof329;
case 329:
	if ( (*p) == 97 )
		goto st330;
	goto st0;
st330:
	if ( ++p == pe )
		goto _test_eof330;
case 330:
	if ( (*p) == 110 )
		goto st331;
	goto st0;
st331:
	if ( ++p == pe )
		goto _test_eof331;
case 331:
	if ( (*p) == 108 )
		goto st332;
	goto st0;
st332:
	if ( ++p == pe )
		goto _test_eof332;
case 332:
	if ( (*p) == 105 )
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
		goto tr362;
	goto st0;
st335:
	if ( ++p == pe )
		goto _test_eof335;
case 335:
	if ( (*p) == 102 )
		goto st336;
	goto st0;
st336:
	if ( ++p == pe )
		goto _test_eof336;
case 336:
	if ( (*p) == 97 )
		goto st337;
	goto st0;
st337:
	if ( ++p == pe )
		goto _test_eof337;
case 337:
	if ( (*p) == 102 )
		goto st338;
	goto st0;
st338:
	if ( ++p == pe )
		goto _test_eof338;
case 338:
	if ( (*p) == 117 )
		goto st339;
	goto st0;
st339:
	if ( ++p == pe )
		goto _test_eof339;
case 339:
	if ( (*p) == 110 )
		goto st340;
	goto st0;
st340:
	if ( ++p == pe )
		goto _test_eof340;
case 340:
	if ( (*p) == 116 )
		goto st341;
	goto st0;
st341:
	if ( ++p == pe )
		goto _test_eof341;
case 341:
	if ( (*p) == 105 )
		goto st342;
	goto st0;
st342:
	if ( ++p == pe )
		goto _test_eof342;
case 342:
	if ( (*p) == 114 )
		goto st343;
	goto st0;
st343:
	if ( ++p == pe )
		goto _test_eof343;
case 343:
	if ( (*p) == 109 )
		goto st344;
	goto st0;
st344:
	if ( ++p == pe )
		goto _test_eof344;
case 344:
	if ( (*p) == 117 )
		goto st345;
	goto st0;
st345:
	if ( ++p == pe )
		goto _test_eof345;
case 345:
	if ( (*p) == 110 )
		goto tr373;
	goto st0;
st346:
	if ( ++p == pe )
		goto _test_eof346;
case 346:
	if ( (*p) == 111 )
		goto st347;
	goto st0;
st347:
	if ( ++p == pe )
		goto _test_eof347;
case 347:
	if ( (*p) == 116 )
		goto st348;
	goto st0;
st348:
	if ( ++p == pe )
		goto _test_eof348;
case 348:
	if ( (*p) == 101 )
		goto st349;
	goto st0;
st349:
	if ( ++p == pe )
		goto _test_eof349;
case 349:
	if ( (*p) == 110 )
		goto st350;
	goto st0;
st350:
	if ( ++p == pe )
		goto _test_eof350;
case 350:
	if ( (*p) == 115 )
		goto st351;
	goto st0;
st351:
	if ( ++p == pe )
		goto _test_eof351;
case 351:
	if ( (*p) == 105 )
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
	if ( (*p) == 97 )
		goto st354;
	goto st0;
st354:
	if ( ++p == pe )
		goto _test_eof354;
case 354:
	if ( (*p) == 114 )
		goto st355;
	goto st0;
st355:
	if ( ++p == pe )
		goto _test_eof355;
case 355:
	if ( (*p) == 100 )
		goto st356;
	goto st0;
st356:
	if ( ++p == pe )
		goto _test_eof356;
case 356:
	if ( (*p) == 117 )
		goto st357;
	goto st0;
st357:
	if ( ++p == pe )
		goto _test_eof357;
case 357:
	if ( (*p) == 115 )
		goto st358;
	goto st0;
st358:
	if ( ++p == pe )
		goto _test_eof358;
case 358:
	if ( (*p) == 116 )
		goto st359;
	goto st0;
st359:
	if ( ++p == pe )
		goto _test_eof359;
case 359:
	if ( (*p) == 114 )
		goto st360;
	goto st0;
st360:
	if ( ++p == pe )
		goto _test_eof360;
case 360:
	if ( (*p) == 105 )
		goto st361;
	goto st0;
st361:
	if ( ++p == pe )
		goto _test_eof361;
case 361:
	if ( (*p) == 114 )
		goto tr389;
	goto st0;
st362:
	if ( ++p == pe )
		goto _test_eof362;
case 362:
	if ( (*p) == 105 )
		goto st363;
	goto st0;
st363:
	if ( ++p == pe )
		goto _test_eof363;
case 363:
	if ( (*p) == 114 )
		goto st364;
	goto st0;
st364:
	if ( ++p == pe )
		goto _test_eof364;
case 364:
	if ( (*p) == 100 )
		goto st365;
	goto st0;
st365:
	if ( ++p == pe )
		goto _test_eof365;
case 365:
	if ( (*p) == 111 )
		goto st366;
	goto st0;
st366:
	if ( ++p == pe )
		goto _test_eof366;
case 366:
	if ( (*p) == 114 )
		goto tr394;
	goto st0;
st367:
	if ( ++p == pe )
		goto _test_eof367;
case 367:
	switch( (*p) ) {
		case 115: goto st368;
		case 122: goto st384;
	}
	goto st0;
st368:
	if ( ++p == pe )
		goto _test_eof368;
case 368:
	if ( (*p) == 116 )
		goto st369;
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
	if ( (*p) == 111 )
		goto st371;
	goto st0;
st371:
	if ( ++p == pe )
		goto _test_eof371;
case 371:
	if ( (*p) == 110 )
		goto st372;
	goto st0;
st372:
	if ( ++p == pe )
		goto _test_eof372;
case 372:
	if ( (*p) == 102 )
		goto st373;
	goto st0;
st373:
	if ( ++p == pe )
		goto _test_eof373;
case 373:
	if ( (*p) == 105 )
		goto st374;
	goto st0;
st374:
	if ( ++p == pe )
		goto _test_eof374;
case 374:
	if ( (*p) == 100 )
		goto st375;
	goto st0;
st375:
	if ( ++p == pe )
		goto _test_eof375;
case 375:
	if ( (*p) == 111 )
		goto st376;
	goto st0;
st376:
	if ( ++p == pe )
		goto _test_eof376;
case 376:
	if ( (*p) == 114 )
		goto st377;
	goto st0;
st377:
	if ( ++p == pe )
		goto _test_eof377;
case 377:
	if ( (*p) == 109 )
		goto st378;
	goto st0;
st378:
	if ( ++p == pe )
		goto _test_eof378;
case 378:
	if ( (*p) == 117 )
		goto st379;
	goto st0;
st379:
	if ( ++p == pe )
		goto _test_eof379;
case 379:
	if ( (*p) == 110 )
		goto st380;
	goto st0;
st380:
	if ( ++p == pe )
		goto _test_eof380;
case 380:
	if ( (*p) == 122 )
		goto st381;
	goto st0;
st381:
	if ( ++p == pe )
		goto _test_eof381;
case 381:
	if ( (*p) == 117 )
		goto st382;
	goto st0;
st382:
	if ( ++p == pe )
		goto _test_eof382;
case 382:
	if ( (*p) == 115 )
		goto st383;
	goto st0;
st383:
	if ( ++p == pe )
		goto _test_eof383;
case 383:
	if ( (*p) == 116 )
		goto tr412;
	goto st0;
st384:
	if ( ++p == pe )
		goto _test_eof384;
case 384:
	if ( (*p) == 105 )
		goto st385;
	goto st0;
st385:
	if ( ++p == pe )
		goto _test_eof385;
case 385:
	if ( (*p) == 114 )
		goto st386;
	goto st0;
st386:
	if ( ++p == pe )
		goto _test_eof386;
case 386:
	if ( (*p) == 108 )
		goto st387;
	goto st0;
st387:
	if ( ++p == pe )
		goto _test_eof387;
case 387:
	if ( (*p) == 105 )
		goto st388;
	goto st0;
st388:
	if ( ++p == pe )
		goto _test_eof388;
case 388:
	if ( (*p) == 115 )
		goto st389;
	goto st0;
st389:
	if ( ++p == pe )
		goto _test_eof389;
case 389:
	if ( (*p) == 116 )
		goto st390;
	goto st0;
st390:
	if ( ++p == pe )
		goto _test_eof390;
case 390:
	if ( (*p) == 100 )
		goto st391;
	goto st0;
st391:
	if ( ++p == pe )
		goto _test_eof391;
case 391:
	if ( (*p) == 117 )
		goto st392;
	goto st0;
st392:
	if ( ++p == pe )
		goto _test_eof392;
case 392:
	if ( (*p) == 115 )
		goto st393;
	goto st0;
st393:
	if ( ++p == pe )
		goto _test_eof393;
case 393:
	if ( (*p) == 111 )
		goto st394;
	goto st0;
st394:
	if ( ++p == pe )
		goto _test_eof394;
case 394:
	if ( (*p) == 114 )
		goto st395;
	goto st0;
st395:
	if ( ++p == pe )
		goto _test_eof395;
case 395:
	if ( (*p) == 100 )
		goto st396;
	goto st0;
st396:
	if ( ++p == pe )
		goto _test_eof396;
case 396:
	if ( (*p) == 97 )
		goto st397;
	goto st0;
st397:
	if ( ++p == pe )
		goto _test_eof397;
case 397:
	if ( (*p) == 114 )
		goto st398;
	goto st0;
st398:
	if ( ++p == pe )
		goto _test_eof398;
case 398:
	if ( (*p) == 117 )
		goto st399;
	goto st0;
st399:
	if ( ++p == pe )
		goto _test_eof399;
case 399:
	if ( (*p) == 115 )
		goto st400;
	goto st0;
st400:
	if ( ++p == pe )
		goto _test_eof400;
case 400:
	if ( (*p) == 116 )
		goto tr429;
	goto st0;
st401:
	if ( ++p == pe )
		goto _test_eof401;
case 401:
	switch( (*p) ) {
		case 110: goto st402;
		case 114: goto st424;
		case 115: goto st432;
	}
	goto st0;
st402:
	if ( ++p == pe )
		goto _test_eof402;
case 402:
	switch( (*p) ) {
		case 100: goto st403;
		case 112: goto st418;
	}
	goto st0;
st403:
	if ( ++p == pe )
		goto _test_eof403;
case 403:
	if ( (*p) == 97 )
		goto st404;
	goto st0;
st404:
	if ( ++p == pe )
		goto _test_eof404;
case 404:
	if ( (*p) == 112 )
		goto st405;
	goto st0;
st405:
	if ( ++p == pe )
		goto _test_eof405;
case 405:
	if ( (*p) == 105 )
		goto st406;
	goto st0;
st406:
	if ( ++p == pe )
		goto _test_eof406;
case 406:
	if ( (*p) == 114 )
		goto st407;
	goto st0;
st407:
	if ( ++p == pe )
		goto _test_eof407;
case 407:
	if ( (*p) == 108 )
		goto st408;
	goto st0;
st408:
	if ( ++p == pe )
		goto _test_eof408;
case 408:
	if ( (*p) == 97 )
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
	if ( (*p) == 102 )
		goto st411;
	goto st0;
st411:
	if ( ++p == pe )
		goto _test_eof411;
case 411:
	if ( (*p) == 111 )
		goto st412;
	goto st0;
st412:
	if ( ++p == pe )
		goto _test_eof412;
case 412:
	if ( (*p) == 115 )
		goto st413;
	goto st0;
st413:
	if ( ++p == pe )
		goto _test_eof413;
case 413:
	if ( (*p) == 116 )
		goto st414;
	goto st0;
st414:
	if ( ++p == pe )
		goto _test_eof414;
case 414:
	if ( (*p) == 118 )
		goto st415;
	goto st0;
st415:
	if ( ++p == pe )
		goto _test_eof415;
case 415:
	if ( (*p) == 117 )
		goto st416;
	goto st0;
st416:
	if ( ++p == pe )
		goto _test_eof416;
case 416:
	if ( (*p) == 107 )
		goto st417;
	goto st0;
st417:
	if ( ++p == pe )
		goto _test_eof417;
case 417:
	if ( (*p) == 105 )
		goto tr449;
	goto st0;
st418:
	if ( ++p == pe )
		goto _test_eof418;
case 418:
	if ( (*p) == 117 )
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
	if ( (*p) == 101 )
		goto st421;
	goto st0;
st421:
	if ( ++p == pe )
		goto _test_eof421;
case 421:
	if ( (*p) == 102 )
		goto st422;
	goto st0;
st422:
	if ( ++p == pe )
		goto _test_eof422;
case 422:
	if ( (*p) == 117 )
		goto st423;
	goto st0;
st423:
	if ( ++p == pe )
		goto _test_eof423;
case 423:
	if ( (*p) == 110 )
		goto tr455;
	goto st0;
st424:
	if ( ++p == pe )
		goto _test_eof424;
case 424:
	if ( (*p) == 112 )
		goto st425;
	goto st0;
st425:
	if ( ++p == pe )
		goto _test_eof425;
case 425:
	if ( (*p) == 105 )
		goto st426;
	goto st0;
st426:
	if ( ++p == pe )
		goto _test_eof426;
case 426:
	if ( (*p) == 107 )
		goto st427;
	goto st0;
st427:
	if ( ++p == pe )
		goto _test_eof427;
case 427:
	if ( (*p) == 101 )
		goto st428;
	goto st0;
st428:
	if ( ++p == pe )
		goto _test_eof428;
case 428:
	if ( (*p) == 110 )
		goto st429;
	goto st0;
st429:
	if ( ++p == pe )
		goto _test_eof429;
case 429:
	if ( (*p) == 108 )
		goto st430;
	goto st0;
st430:
	if ( ++p == pe )
		goto _test_eof430;
case 430:
	if ( (*p) == 111 )
		goto st431;
	goto st0;
st431:
	if ( ++p == pe )
		goto _test_eof431;
case 431:
	if ( (*p) == 110 )
		goto tr463;
	goto st0;
st432:
	if ( ++p == pe )
		goto _test_eof432;
case 432:
	if ( (*p) == 116 )
		goto st433;
	goto st0;
st433:
	if ( ++p == pe )
		goto _test_eof433;
case 433:
	if ( (*p) == 114 )
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
	if ( (*p) == 116 )
		goto st437;
	goto st0;
st437:
	if ( ++p == pe )
		goto _test_eof437;
case 437:
	if ( (*p) == 98 )
		goto st438;
	goto st0;
st438:
	if ( ++p == pe )
		goto _test_eof438;
case 438:
	if ( (*p) == 111 )
		goto st439;
	goto st0;
st439:
	if ( ++p == pe )
		goto _test_eof439;
case 439:
	if ( (*p) == 108 )
		goto st440;
	goto st0;
st440:
	if ( ++p == pe )
		goto _test_eof440;
case 440:
	if ( (*p) == 97 )
		goto st441;
	goto st0;
st441:
	if ( ++p == pe )
		goto _test_eof441;
case 441:
	if ( (*p) == 115 )
		goto st442;
	goto st0;
st442:
	if ( ++p == pe )
		goto _test_eof442;
case 442:
	if ( (*p) == 116 )
		goto st443;
	goto st0;
st443:
	if ( ++p == pe )
		goto _test_eof443;
case 443:
	if ( (*p) == 107 )
		goto st444;
	goto st0;
st444:
	if ( ++p == pe )
		goto _test_eof444;
case 444:
	if ( (*p) == 117 )
		goto st445;
	goto st0;
st445:
	if ( ++p == pe )
		goto _test_eof445;
case 445:
	if ( (*p) == 102 )
		goto st446;
	goto st0;
st446:
	if ( ++p == pe )
		goto _test_eof446;
case 446:
	if ( (*p) == 117 )
		goto st447;
	goto st0;
st447:
	if ( ++p == pe )
		goto _test_eof447;
case 447:
	if ( (*p) == 100 )
		goto st448;
	goto st0;
st448:
	if ( ++p == pe )
		goto _test_eof448;
case 448:
	if ( (*p) == 105 )
		goto st449;
	goto st0;
st449:
	if ( ++p == pe )
		goto _test_eof449;
case 449:
	if ( (*p) == 115 )
		goto st450;
	goto st0;
st450:
	if ( ++p == pe )
		goto _test_eof450;
case 450:
	if ( (*p) == 116 )
		goto tr482;
	goto st0;
st451:
	if ( ++p == pe )
		goto _test_eof451;
case 451:
	switch( (*p) ) {
		case 97: goto st452;
		case 101: goto st519;
		case 105: goto st562;
		case 111: goto st656;
		case 117: goto st716;
	}
	goto st0;
st452:
	if ( ++p == pe )
		goto _test_eof452;
case 452:
	switch( (*p) ) {
		case 98: goto st453;
		case 110: goto st460;
		case 114: goto st484;
		case 115: goto st493;
	}
	goto st0;
st453:
	if ( ++p == pe )
		goto _test_eof453;
case 453:
	if ( (*p) == 101 )
		goto st454;
	goto st0;
st454:
	if ( ++p == pe )
		goto _test_eof454;
case 454:
	if ( (*p) == 114 )
		goto st455;
	goto st0;
st455:
	if ( ++p == pe )
		goto _test_eof455;
case 455:
	if ( (*p) == 107 )
		goto st456;
	goto st0;
st456:
	if ( ++p == pe )
		goto _test_eof456;
case 456:
	if ( (*p) == 97 )
		goto st457;
	goto st0;
st457:
	if ( ++p == pe )
		goto _test_eof457;
case 457:
	if ( (*p) == 116 )
		goto st458;
	goto st0;
st458:
	if ( ++p == pe )
		goto _test_eof458;
case 458:
	if ( (*p) == 105 )
		goto st459;
	goto st0;
st459:
	if ( ++p == pe )
		goto _test_eof459;
case 459:
	if ( (*p) == 114 )
		goto tr498;
	goto st0;
st460:
	if ( ++p == pe )
		goto _test_eof460;
case 460:
	switch( (*p) ) {
		case 109: goto st461;
		case 116: goto st474;
	}
	goto st0;
st461:
	if ( ++p == pe )
		goto _test_eof461;
case 461:
	if ( (*p) == 111 )
		goto st462;
	goto st0;
st462:
	if ( ++p == pe )
		goto _test_eof462;
case 462:
	if ( (*p) == 112 )
		goto st463;
	goto st0;
st463:
	if ( ++p == pe )
		goto _test_eof463;
case 463:
	if ( (*p) == 117 )
		goto st464;
	goto st0;
st464:
	if ( ++p == pe )
		goto _test_eof464;
case 464:
	if ( (*p) == 115 )
		goto st465;
	goto st0;
st465:
	if ( ++p == pe )
		goto _test_eof465;
case 465:
	if ( (*p) == 116 )
		goto st466;
	goto st0;
st466:
	if ( ++p == pe )
		goto _test_eof466;
case 466:
	if ( (*p) == 112 )
		goto st467;
	goto st0;
st467:
	if ( ++p == pe )
		goto _test_eof467;
case 467:
	if ( (*p) == 101 )
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
	if ( (*p) == 103 )
		goto st471;
	goto st0;
st471:
	if ( ++p == pe )
		goto _test_eof471;
case 471:
	if ( (*p) == 97 )
		goto st472;
	goto st0;
st472:
	if ( ++p == pe )
		goto _test_eof472;
case 472:
	if ( (*p) == 107 )
		goto st473;
	goto st0;
st473:
	if ( ++p == pe )
		goto _test_eof473;
case 473:
	if ( (*p) == 101 )
		goto tr513;
	goto st0;
st474:
	if ( ++p == pe )
		goto _test_eof474;
case 474:
	if ( (*p) == 117 )
		goto st475;
	goto st0;
st475:
	if ( ++p == pe )
		goto _test_eof475;
case 475:
	if ( (*p) == 115 )
		goto st476;
	goto st0;
st476:
	if ( ++p == pe )
		goto _test_eof476;
case 476:
	if ( (*p) == 116 )
		goto st477;
	goto st0;
st477:
	if ( ++p == pe )
		goto _test_eof477;
case 477:
	if ( (*p) == 112 )
		goto st478;
	goto st0;
st478:
	if ( ++p == pe )
		goto _test_eof478;
case 478:
	if ( (*p) == 111 )
		goto st479;
	goto st0;
st479:
	if ( ++p == pe )
		goto _test_eof479;
case 479:
	if ( (*p) == 109 )
		goto st480;
	goto st0;
st480:
	if ( ++p == pe )
		goto _test_eof480;
case 480:
	if ( (*p) == 101 )
		goto st481;
	goto st0;
st481:
	if ( ++p == pe )
		goto _test_eof481;
case 481:
	if ( (*p) == 114 )
		goto st482;
	goto st0;
st482:
	if ( ++p == pe )
		goto _test_eof482;
case 482:
	if ( (*p) == 110 )
		goto st483;
	goto st0;
st483:
	if ( ++p == pe )
		goto _test_eof483;
case 483:
	if ( (*p) == 97 )
		goto tr523;
	goto st0;
st484:
	if ( ++p == pe )
		goto _test_eof484;
case 484:
	if ( (*p) == 98 )
		goto st485;
	goto st0;
st485:
	if ( ++p == pe )
		goto _test_eof485;
case 485:
	if ( (*p) == 101 )
		goto st486;
	goto st0;
st486:
	if ( ++p == pe )
		goto _test_eof486;
case 486:
	if ( (*p) == 115 )
		goto st487;
	goto st0;
st487:
	if ( ++p == pe )
		goto _test_eof487;
case 487:
	if ( (*p) == 116 )
		goto st488;
	goto st0;
st488:
	if ( ++p == pe )
		goto _test_eof488;
case 488:
	if ( (*p) == 112 )
		goto st489;
	goto st0;
st489:
	if ( ++p == pe )
		goto _test_eof489;
case 489:
	if ( (*p) == 101 )
		goto st490;
	goto st0;
st490:
	if ( ++p == pe )
		goto _test_eof490;
case 490:
	if ( (*p) == 98 )
		goto st491;
	goto st0;
st491:
	if ( ++p == pe )
		goto _test_eof491;
case 491:
	if ( (*p) == 101 )
		goto st492;
	goto st0;
st492:
	if ( ++p == pe )
		goto _test_eof492;
case 492:
	if ( (*p) == 110 )
		goto tr532;
	goto st0;
st493:
	if ( ++p == pe )
		goto _test_eof493;
case 493:
	if ( (*p) == 116 )
		goto st494;
	goto st0;
st494:
	if ( ++p == pe )
		goto _test_eof494;
case 494:
	switch( (*p) ) {
		case 98: goto st495;
		case 116: goto st511;
	}
	goto st0;
st495:
	if ( ++p == pe )
		goto _test_eof495;
case 495:
	if ( (*p) == 101 )
		goto st496;
	goto st0;
st496:
	if ( ++p == pe )
		goto _test_eof496;
case 496:
	if ( (*p) == 115 )
		goto st497;
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
	if ( (*p) == 100 )
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
	if ( (*p) == 115 )
		goto st502;
	goto st0;
st502:
	if ( ++p == pe )
		goto _test_eof502;
case 502:
	if ( (*p) == 105 )
		goto st503;
	goto st0;
st503:
	if ( ++p == pe )
		goto _test_eof503;
case 503:
	if ( (*p) == 102 )
		goto st504;
	goto st0;
st504:
	if ( ++p == pe )
		goto _test_eof504;
case 504:
	if ( (*p) == 105 )
		goto st505;
	goto st0;
st505:
	if ( ++p == pe )
		goto _test_eof505;
case 505:
	if ( (*p) == 102 )
		goto st506;
	goto st0;
st506:
	if ( ++p == pe )
		goto _test_eof506;
case 506:
	if ( (*p) == 97 )
		goto st507;
	goto st0;
st507:
	if ( ++p == pe )
		goto _test_eof507;
case 507:
	if ( (*p) == 110 )
		goto st508;
	goto st0;
st508:
	if ( ++p == pe )
		goto _test_eof508;
case 508:
	if ( (*p) == 110 )
		goto st509;
	goto st0;
st509:
	if ( ++p == pe )
		goto _test_eof509;
case 509:
	if ( (*p) == 97 )
		goto st510;
	goto st0;
st510:
	if ( ++p == pe )
		goto _test_eof510;
case 510:
	if ( (*p) == 114 )
		goto tr551;
	goto st0;
st511:
	if ( ++p == pe )
		goto _test_eof511;
case 511:
	if ( (*p) == 111 )
		goto st512;
	goto st0;
st512:
	if ( ++p == pe )
		goto _test_eof512;
case 512:
	if ( (*p) == 114 )
		goto st513;
	goto st0;
st513:
	if ( ++p == pe )
		goto _test_eof513;
case 513:
	if ( (*p) == 115 )
		goto st514;
	goto st0;
st514:
	if ( ++p == pe )
		goto _test_eof514;
case 514:
	if ( (*p) == 105 )
		goto st515;
	goto st0;
st515:
	if ( ++p == pe )
		goto _test_eof515;
case 515:
	if ( (*p) == 110 )
		goto st516;
	goto st0;
st516:
	if ( ++p == pe )
		goto _test_eof516;
case 516:
	if ( (*p) == 116 )
		goto st517;
	goto st0;
st517:
	if ( ++p == pe )
		goto _test_eof517;
case 517:
	if ( (*p) == 105 )
		goto st518;
	goto st0;
st518:
	if ( ++p == pe )
		goto _test_eof518;
case 518:
	if ( (*p) == 114 )
		goto tr559;
	goto st0;
st519:
	if ( ++p == pe )
		goto _test_eof519;
case 519:
	switch( (*p) ) {
		case 110: goto st520;
		case 114: goto st539;
	}
	goto st0;
st520:
	if ( ++p == pe )
		goto _test_eof520;
case 520:
	switch( (*p) ) {
		case 98: goto st521;
		case 100: goto st526;
	}
	goto st0;
st521:
	if ( ++p == pe )
		goto _test_eof521;
case 521:
	if ( (*p) == 111 )
		goto st522;
	goto st0;
st522:
	if ( ++p == pe )
		goto _test_eof522;
case 522:
	if ( (*p) == 114 )
		goto st523;
	goto st0;
st523:
	if ( ++p == pe )
		goto _test_eof523;
case 523:
	if ( (*p) == 114 )
		goto st524;
	goto st0;
st524:
	if ( ++p == pe )
		goto _test_eof524;
case 524:
	if ( (*p) == 111 )
		goto st525;
	goto st0;
st525:
	if ( ++p == pe )
		goto _test_eof525;
case 525:
	if ( (*p) == 114 )
		goto tr568;
	goto st0;
st526:
	if ( ++p == pe )
		goto _test_eof526;
case 526:
	if ( (*p) == 101 )
		goto st527;
	goto st0;
st527:
	if ( ++p == pe )
		goto _test_eof527;
case 527:
	if ( (*p) == 98 )
		goto st528;
	goto st0;
st528:
	if ( ++p == pe )
		goto _test_eof528;
case 528:
	if ( (*p) == 111 )
		goto st529;
	goto st0;
st529:
	if ( ++p == pe )
		goto _test_eof529;
case 529:
	if ( (*p) == 115 )
		goto st530;
	goto st0;
st530:
	if ( ++p == pe )
		goto _test_eof530;
case 530:
	if ( (*p) == 116 )
		goto st531;
	goto st0;
st531:
	if ( ++p == pe )
		goto _test_eof531;
case 531:
	if ( (*p) == 115 )
		goto st532;
	goto st0;
st532:
	if ( ++p == pe )
		goto _test_eof532;
case 532:
	if ( (*p) == 97 )
		goto st533;
	goto st0;
st533:
	if ( ++p == pe )
		goto _test_eof533;
case 533:
	if ( (*p) == 115 )
		goto st534;
	goto st0;
st534:
	if ( ++p == pe )
		goto _test_eof534;
case 534:
	if ( (*p) == 116 )
		goto st535;
	goto st0;
st535:
	if ( ++p == pe )
		goto _test_eof535;
case 535:
	if ( (*p) == 109 )
		goto st536;
	goto st0;
st536:
	if ( ++p == pe )
		goto _test_eof536;
case 536:
	if ( (*p) == 111 )
		goto st537;
	goto st0;
st537:
	if ( ++p == pe )
		goto _test_eof537;
case 537:
	if ( (*p) == 115 )
		goto st538;
	goto st0;
st538:
	if ( ++p == pe )
		goto _test_eof538;
case 538:
	if ( (*p) == 116 )
		goto tr581;
	goto st0;
st539:
	if ( ++p == pe )
		goto _test_eof539;
case 539:
	switch( (*p) ) {
		case 102: goto st540;
		case 118: goto st549;
	}
	goto st0;
st540:
	if ( ++p == pe )
		goto _test_eof540;
case 540:
	if ( (*p) == 111 )
		goto st541;
	goto st0;
st541:
	if ( ++p == pe )
		goto _test_eof541;
case 541:
	if ( (*p) == 110 )
		goto st542;
	goto st0;
st542:
	if ( ++p == pe )
		goto _test_eof542;
case 542:
	if ( (*p) == 116 )
		goto st543;
	goto st0;
st543:
	if ( ++p == pe )
		goto _test_eof543;
case 543:
	if ( (*p) == 105 )
		goto st544;
	goto st0;
st544:
	if ( ++p == pe )
		goto _test_eof544;
case 544:
	if ( (*p) == 112 )
		goto st545;
	goto st0;
st545:
	if ( ++p == pe )
		goto _test_eof545;
case 545:
	if ( (*p) == 117 )
		goto st546;
	goto st0;
st546:
	if ( ++p == pe )
		goto _test_eof546;
case 546:
	if ( (*p) == 114 )
		goto st547;
	goto st0;
st547:
	if ( ++p == pe )
		goto _test_eof547;
case 547:
	if ( (*p) == 118 )
		goto st548;
	goto st0;
st548:
	if ( ++p == pe )
		goto _test_eof548;
case 548:
	if ( (*p) == 101 )
		goto tr592;
	goto st0;
st549:
	if ( ++p == pe )
		goto _test_eof549;
case 549:
	if ( (*p) == 105 )
		goto st550;
	goto st0;
st550:
	if ( ++p == pe )
		goto _test_eof550;
case 550:
	if ( (*p) == 110 )
		goto st551;
	goto st0;
st551:
	if ( ++p == pe )
		goto _test_eof551;
case 551:
	if ( (*p) == 114 )
		goto st552;
	goto st0;
st552:
	if ( ++p == pe )
		goto _test_eof552;
case 552:
	if ( (*p) == 105 )
		goto st553;
	goto st0;
st553:
	if ( ++p == pe )
		goto _test_eof553;
case 553:
	if ( (*p) == 110 )
		goto st554;
	goto st0;
st554:
	if ( ++p == pe )
		goto _test_eof554;
case 554:
	if ( (*p) == 102 )
		goto st555;
	goto st0;
st555:
	if ( ++p == pe )
		goto _test_eof555;
case 555:
	if ( (*p) == 105 )
		goto st556;
	goto st0;
st556:
	if ( ++p == pe )
		goto _test_eof556;
case 556:
	if ( (*p) == 103 )
		goto st557;
	goto st0;
st557:
	if ( ++p == pe )
		goto _test_eof557;
case 557:
	if ( (*p) == 105 )
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
	if ( (*p) == 115 )
		goto st560;
	goto st0;
st560:
	if ( ++p == pe )
		goto _test_eof560;
case 560:
	if ( (*p) == 105 )
		goto st561;
	goto st0;
st561:
	if ( ++p == pe )
		goto _test_eof561;
case 561:
	if ( (*p) == 110 )
		goto tr605;
	goto st0;
st562:
	if ( ++p == pe )
		goto _test_eof562;
case 562:
	switch( (*p) ) {
		case 107: goto st563;
		case 110: goto st583;
		case 114: goto st614;
		case 115: goto st635;
	}
	goto st0;
st563:
	if ( ++p == pe )
		goto _test_eof563;
case 563:
	if ( (*p) == 101 )
		goto st564;
	goto st0;
st564:
	if ( ++p == pe )
		goto _test_eof564;
case 564:
	if ( (*p) == 110 )
		goto st565;
	goto st0;
st565:
	if ( ++p == pe )
		goto _test_eof565;
case 565:
	if ( (*p) == 98 )
		goto st566;
	goto st0;
st566:
	if ( ++p == pe )
		goto _test_eof566;
case 566:
	if ( (*p) == 97 )
		goto st567;
	goto st0;
st567:
	if ( ++p == pe )
		goto _test_eof567;
case 567:
	if ( (*p) == 110 )
		goto st568;
	goto st0;
st568:
	if ( ++p == pe )
		goto _test_eof568;
case 568:
	if ( (*p) == 122 )
		goto st569;
	goto st0;
st569:
	if ( ++p == pe )
		goto _test_eof569;
case 569:
	if ( (*p) == 101 )
		goto st570;
	goto st0;
st570:
	if ( ++p == pe )
		goto _test_eof570;
case 570:
	if ( (*p) == 114 )
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
	if ( (*p) == 114 )
		goto st573;
	goto st0;
st573:
	if ( ++p == pe )
		goto _test_eof573;
case 573:
	if ( (*p) == 118 )
		goto st574;
	goto st0;
st574:
	if ( ++p == pe )
		goto _test_eof574;
case 574:
	if ( (*p) == 105 )
		goto st575;
	goto st0;
st575:
	if ( ++p == pe )
		goto _test_eof575;
case 575:
	if ( (*p) == 114 )
		goto st576;
	goto st0;
st576:
	if ( ++p == pe )
		goto _test_eof576;
case 576:
	if ( (*p) == 109 )
		goto st577;
	goto st0;
st577:
	if ( ++p == pe )
		goto _test_eof577;
case 577:
	if ( (*p) == 111 )
		goto st578;
	goto st0;
st578:
	if ( ++p == pe )
		goto _test_eof578;
case 578:
	if ( (*p) == 115 )
		goto st579;
	goto st0;
st579:
	if ( ++p == pe )
		goto _test_eof579;
case 579:
	if ( (*p) == 116 )
		goto st580;
	goto st0;
st580:
	if ( ++p == pe )
		goto _test_eof580;
case 580:
	if ( (*p) == 118 )
		goto st581;
	goto st0;
st581:
	if ( ++p == pe )
		goto _test_eof581;
case 581:
	if ( (*p) == 101 )
		goto st582;
	goto st0;
st582:
	if ( ++p == pe )
		goto _test_eof582;
case 582:
	if ( (*p) == 114 )
		goto tr629;
	goto st0;
st583:
	if ( ++p == pe )
		goto _test_eof583;
case 583:
	switch( (*p) ) {
		case 108: goto st584;
		case 115: goto st594;
		case 118: goto st607;
	}
	goto st0;
st584:
	if ( ++p == pe )
		goto _test_eof584;
case 584:
	if ( (*p) == 105 )
		goto st585;
	goto st0;
st585:
	if ( ++p == pe )
		goto _test_eof585;
case 585:
	if ( (*p) == 114 )
		goto st586;
	goto st0;
st586:
	if ( ++p == pe )
		goto _test_eof586;
case 586:
	if ( (*p) == 102 )
		goto st587;
	goto st0;
st587:
	if ( ++p == pe )
		goto _test_eof587;
case 587:
	if ( (*p) == 97 )
		goto st588;
	goto st0;
st588:
	if ( ++p == pe )
		goto _test_eof588;
case 588:
	if ( (*p) == 98 )
		goto st589;
	goto st0;
st589:
	if ( ++p == pe )
		goto _test_eof589;
case 589:
	if ( (*p) == 105 )
		goto st590;
	goto st0;
st590:
	if ( ++p == pe )
		goto _test_eof590;
case 590:
	if ( (*p) == 115 )
		goto st591;
	goto st0;
st591:
	if ( ++p == pe )
		goto _test_eof591;
case 591:
	if ( (*p) == 116 )
		goto st592;
	goto st0;
st592:
	if ( ++p == pe )
		goto _test_eof592;
case 592:
	if ( (*p) == 102 )
		goto st593;
	goto st0;
st593:
	if ( ++p == pe )
		goto _test_eof593;
case 593:
	if ( (*p) == 97 )
		goto tr642;
	goto st0;
st594:
	if ( ++p == pe )
		goto _test_eof594;
case 594:
	if ( (*p) == 111 )
		goto st595;
	goto st0;
st595:
	if ( ++p == pe )
		goto _test_eof595;
case 595:
	if ( (*p) == 110 )
		goto st596;
	goto st0;
st596:
	if ( ++p == pe )
		goto _test_eof596;
case 596:
	if ( (*p) == 109 )
		goto st597;
	goto st0;
st597:
	if ( ++p == pe )
		goto _test_eof597;
case 597:
	if ( (*p) == 105 )
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
	if ( (*p) == 116 )
		goto st600;
	goto st0;
st600:
	if ( ++p == pe )
		goto _test_eof600;
case 600:
	if ( (*p) == 102 )
		goto st601;
	goto st0;
st601:
	if ( ++p == pe )
		goto _test_eof601;
case 601:
	if ( (*p) == 101 )
		goto st602;
	goto st0;
st602:
	if ( ++p == pe )
		goto _test_eof602;
case 602:
	if ( (*p) == 110 )
		goto st603;
	goto st0;
st603:
	if ( ++p == pe )
		goto _test_eof603;
case 603:
	if ( (*p) == 118 )
		goto st604;
	goto st0;
st604:
	if ( ++p == pe )
		goto _test_eof604;
case 604:
	if ( (*p) == 111 )
		goto st605;
	goto st0;
st605:
	if ( ++p == pe )
		goto _test_eof605;
case 605:
	if ( (*p) == 115 )
		goto st606;
	goto st0;
st606:
	if ( ++p == pe )
		goto _test_eof606;
case 606:
	if ( (*p) == 116 )
		goto tr655;
	goto st0;
st607:
	if ( ++p == pe )
		goto _test_eof607;
case 607:
	if ( (*p) == 111 )
		goto st608;
	goto st0;
st608:
	if ( ++p == pe )
		goto _test_eof608;
case 608:
	if ( (*p) == 114 )
		goto st609;
	goto st0;
st609:
	if ( ++p == pe )
		goto _test_eof609;
case 609:
	if ( (*p) == 108 )
		goto st610;
	goto st0;
st610:
	if ( ++p == pe )
		goto _test_eof610;
case 610:
	if ( (*p) == 117 )
		goto st611;
	goto st0;
st611:
	if ( ++p == pe )
		goto _test_eof611;
case 611:
	if ( (*p) == 114 )
		goto st612;
	goto st0;
st612:
	if ( ++p == pe )
		goto _test_eof612;
case 612:
	if ( (*p) == 108 )
		goto st613;
	goto st0;
st613:
	if ( ++p == pe )
		goto _test_eof613;
case 613:
	if ( (*p) == 101 )
		goto tr662;
	goto st0;
st614:
	if ( ++p == pe )
		goto _test_eof614;
case 614:
	switch( (*p) ) {
		case 100: goto st615;
		case 112: goto st619;
	}
	goto st0;
st615:
	if ( ++p == pe )
		goto _test_eof615;
case 615:
	if ( (*p) == 101 )
		goto st616;
	goto st0;
st616:
	if ( ++p == pe )
		goto _test_eof616;
case 616:
	if ( (*p) == 114 )
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
	if ( (*p) == 117 )
		goto tr668;
	goto st0;
st619:
	if ( ++p == pe )
		goto _test_eof619;
case 619:
	if ( (*p) == 117 )
		goto st620;
	goto st0;
st620:
	if ( ++p == pe )
		goto _test_eof620;
case 620:
	if ( (*p) == 114 )
		goto st621;
	goto st0;
st621:
	if ( ++p == pe )
		goto _test_eof621;
case 621:
	if ( (*p) == 114 )
		goto st622;
	goto st0;
st622:
	if ( ++p == pe )
		goto _test_eof622;
case 622:
	if ( (*p) == 97 )
		goto st623;
	goto st0;
st623:
	if ( ++p == pe )
		goto _test_eof623;
case 623:
	if ( (*p) == 114 )
		goto st624;
	goto st0;
st624:
	if ( ++p == pe )
		goto _test_eof624;
case 624:
	if ( (*p) == 100 )
		goto st625;
	goto st0;
st625:
	if ( ++p == pe )
		goto _test_eof625;
case 625:
	if ( (*p) == 101 )
		goto st626;
	goto st0;
st626:
	if ( ++p == pe )
		goto _test_eof626;
case 626:
	if ( (*p) == 110 )
		goto st627;
	goto st0;
st627:
	if ( ++p == pe )
		goto _test_eof627;
case 627:
	if ( (*p) == 108 )
		goto st628;
	goto st0;
st628:
	if ( ++p == pe )
		goto _test_eof628;
case 628:
	if ( (*p) == 101 )
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
	if ( (*p) == 102 )
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
	if ( (*p) == 118 )
		goto st633;
	goto st0;
st633:
	if ( ++p == pe )
		goto _test_eof633;
case 633:
	if ( (*p) == 105 )
		goto st634;
	goto st0;
st634:
	if ( ++p == pe )
		goto _test_eof634;
case 634:
	if ( (*p) == 110 )
		goto tr684;
	goto st0;
st635:
	if ( ++p == pe )
		goto _test_eof635;
case 635:
	if ( (*p) == 116 )
		goto st636;
	goto st0;
st636:
	if ( ++p == pe )
		goto _test_eof636;
case 636:
	if ( (*p) == 109 )
		goto st637;
	goto st0;
st637:
	if ( ++p == pe )
		goto _test_eof637;
case 637:
	switch( (*p) ) {
		case 105: goto st638;
		case 117: goto st645;
	}
	goto st0;
st638:
	if ( ++p == pe )
		goto _test_eof638;
case 638:
	if ( (*p) == 102 )
		goto st639;
	goto st0;
st639:
	if ( ++p == pe )
		goto _test_eof639;
case 639:
	if ( (*p) == 97 )
		goto st640;
	goto st0;
st640:
	if ( ++p == pe )
		goto _test_eof640;
case 640:
	if ( (*p) == 115 )
		goto st641;
	goto st0;
st641:
	if ( ++p == pe )
		goto _test_eof641;
case 641:
	if ( (*p) == 116 )
		goto st642;
	goto st0;
st642:
	if ( ++p == pe )
		goto _test_eof642;
case 642:
	if ( (*p) == 107 )
		goto st643;
	goto st0;
st643:
	if ( ++p == pe )
		goto _test_eof643;
case 643:
	if ( (*p) == 117 )
		goto st644;
	goto st0;
st644:
	if ( ++p == pe )
		goto _test_eof644;
case 644:
	if ( (*p) == 110 )
		goto tr695;
	goto st0;
st645:
	if ( ++p == pe )
		goto _test_eof645;
case 645:
	if ( (*p) == 115 )
		goto st646;
	goto st0;
st646:
	if ( ++p == pe )
		goto _test_eof646;
case 646:
	if ( (*p) == 116 )
		goto st647;
	goto st0;
st647:
	if ( ++p == pe )
		goto _test_eof647;
case 647:
	if ( (*p) == 122 )
		goto st648;
	goto st0;
st648:
	if ( ++p == pe )
		goto _test_eof648;
case 648:
	if ( (*p) == 101 )
		goto st649;
	goto st0;
st649:
	if ( ++p == pe )
		goto _test_eof649;
case 649:
	if ( (*p) == 98 )
		goto st650;
	goto st0;
st650:
	if ( ++p == pe )
		goto _test_eof650;
case 650:
	if ( (*p) == 117 )
		goto st651;
	goto st0;
st651:
	if ( ++p == pe )
		goto _test_eof651;
case 651:
	if ( (*p) == 122 )
		goto st652;
	goto st0;
st652:
	if ( ++p == pe )
		goto _test_eof652;
case 652:
	if ( (*p) == 111 )
		goto st653;
	goto st0;
st653:
	if ( ++p == pe )
		goto _test_eof653;
case 653:
	if ( (*p) == 114 )
		goto st654;
	goto st0;
st654:
	if ( ++p == pe )
		goto _test_eof654;
case 654:
	if ( (*p) == 112 )
		goto st655;
	goto st0;
st655:
	if ( ++p == pe )
		goto _test_eof655;
case 655:
	if ( (*p) == 117 )
		goto tr706;
	goto st0;
st656:
	if ( ++p == pe )
		goto _test_eof656;
case 656:
	switch( (*p) ) {
		case 114: goto st657;
		case 115: goto st675;
		case 122: goto st708;
	}
	goto st0;
st657:
	if ( ++p == pe )
		goto _test_eof657;
case 657:
	if ( (*p) == 110 )
		goto st658;
	goto st0;
st658:
	if ( ++p == pe )
		goto _test_eof658;
case 658:
	if ( (*p) == 117 )
		goto st659;
	goto st0;
st659:
	if ( ++p == pe )
		goto _test_eof659;
case 659:
	if ( (*p) == 110 )
		goto st660;
	goto st0;
st660:
	if ( ++p == pe )
		goto _test_eof660;
case 660:
	if ( (*p) == 107 )
		goto st661;
	goto st0;
st661:
	if ( ++p == pe )
		goto _test_eof661;
case 661:
	if ( (*p) == 105 )
		goto st662;
	goto st0;
st662:
	if ( ++p == pe )
		goto _test_eof662;
case 662:
	if ( (*p) == 114 )
		goto st663;
	goto st0;
st663:
	if ( ++p == pe )
		goto _test_eof663;
case 663:
	if ( (*p) == 103 )
		goto st664;
	goto st0;
st664:
	if ( ++p == pe )
		goto _test_eof664;
case 664:
	if ( (*p) == 105 )
		goto st665;
	goto st0;
st665:
	if ( ++p == pe )
		goto _test_eof665;
case 665:
	if ( (*p) == 114 )
		goto st666;
	goto st0;
st666:
	if ( ++p == pe )
		goto _test_eof666;
case 666:
	if ( (*p) == 109 )
		goto st667;
	goto st0;
st667:
	if ( ++p == pe )
		goto _test_eof667;
case 667:
	if ( (*p) == 97 )
		goto st668;
	goto st0;
st668:
	if ( ++p == pe )
		goto _test_eof668;
case 668:
	if ( (*p) == 108 )
		goto st669;
	goto st0;
st669:
	if ( ++p == pe )
		goto _test_eof669;
case 669:
	if ( (*p) == 111 )
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
	if ( (*p) == 116 )
		goto st672;
	goto st0;
st672:
	if ( ++p == pe )
		goto _test_eof672;
case 672:
	if ( (*p) == 105 )
		goto st673;
	goto st0;
st673:
	if ( ++p == pe )
		goto _test_eof673;
case 673:
	if ( (*p) == 115 )
		goto st674;
	goto st0;
st674:
	if ( ++p == pe )
		goto _test_eof674;
case 674:
	if ( (*p) == 116 )
		goto tr727;
	goto st0;
st675:
	if ( ++p == pe )
		goto _test_eof675;
case 675:
	switch( (*p) ) {
		case 101: goto st676;
		case 116: goto st695;
	}
	goto st0;
st676:
	if ( ++p == pe )
		goto _test_eof676;
case 676:
	if ( (*p) == 108 )
		goto st677;
	goto st0;
st677:
	if ( ++p == pe )
		goto _test_eof677;
case 677:
	if ( (*p) == 111 )
		goto st678;
	goto st0;
st678:
	if ( ++p == pe )
		goto _test_eof678;
case 678:
	if ( (*p) == 115 )
		goto st679;
	goto st0;
st679:
	if ( ++p == pe )
		goto _test_eof679;
case 679:
	if ( (*p) == 116 )
		goto st680;
	goto st0;
st680:
	if ( ++p == pe )
		goto _test_eof680;
case 680:
	if ( (*p) == 107 )
		goto st681;
	goto st0;
st681:
	if ( ++p == pe )
		goto _test_eof681;
case 681:
	if ( (*p) == 111 )
		goto st682;
	goto st0;
st682:
	if ( ++p == pe )
		goto _test_eof682;
case 682:
	if ( (*p) == 115 )
		goto st683;
	goto st0;
st683:
	if ( ++p == pe )
		goto _test_eof683;
case 683:
	if ( (*p) == 116 )
		goto st684;
	goto st0;
st684:
	if ( ++p == pe )
		goto _test_eof684;
case 684:
	if ( (*p) == 107 )
		goto st685;
	goto st0;
st685:
	if ( ++p == pe )
		goto _test_eof685;
case 685:
	if ( (*p) == 101 )
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
	if ( (*p) == 115 )
		goto st688;
	goto st0;
st688:
	if ( ++p == pe )
		goto _test_eof688;
case 688:
	if ( (*p) == 117 )
		goto st689;
	goto st0;
st689:
	if ( ++p == pe )
		goto _test_eof689;
case 689:
	if ( (*p) == 103 )
		goto st690;
	goto st0;
st690:
	if ( ++p == pe )
		goto _test_eof690;
case 690:
	if ( (*p) == 111 )
		goto st691;
	goto st0;
st691:
	if ( ++p == pe )
		goto _test_eof691;
case 691:
	if ( (*p) == 115 )
		goto st692;
	goto st0;
st692:
	if ( ++p == pe )
		goto _test_eof692;
case 692:
	if ( (*p) == 116 )
		goto st693;
	goto st0;
st693:
	if ( ++p == pe )
		goto _test_eof693;
case 693:
	if ( (*p) == 107 )
		goto st694;
	goto st0;
st694:
	if ( ++p == pe )
		goto _test_eof694;
case 694:
	if ( (*p) == 105 )
		goto tr748;
	goto st0;
st695:
	if ( ++p == pe )
		goto _test_eof695;
case 695:
	if ( (*p) == 114 )
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
	if ( (*p) == 102 )
		goto st698;
	goto st0;
st698:
	if ( ++p == pe )
		goto _test_eof698;
case 698:
	if ( (*p) == 105 )
		goto st699;
	goto st0;
st699:
	if ( ++p == pe )
		goto _test_eof699;
case 699:
	if ( (*p) == 114 )
		goto st700;
	goto st0;
st700:
	if ( ++p == pe )
		goto _test_eof700;
case 700:
	if ( (*p) == 111 )
		goto st701;
	goto st0;
st701:
	if ( ++p == pe )
		goto _test_eof701;
case 701:
	if ( (*p) == 115 )
		goto st702;
	goto st0;
st702:
	if ( ++p == pe )
		goto _test_eof702;
case 702:
	if ( (*p) == 116 )
		goto st703;
	goto st0;
st703:
	if ( ++p == pe )
		goto _test_eof703;
case 703:
	if ( (*p) == 103 )
		goto st704;
	goto st0;
st704:
	if ( ++p == pe )
		goto _test_eof704;
case 704:
	if ( (*p) == 111 )
		goto st705;
	goto st0;
st705:
	if ( ++p == pe )
		goto _test_eof705;
case 705:
	if ( (*p) == 110 )
		goto st706;
	goto st0;
st706:
	if ( ++p == pe )
		goto _test_eof706;
case 706:
	if ( (*p) == 116 )
		goto st707;
	goto st0;
st707:
	if ( ++p == pe )
		goto _test_eof707;
case 707:
	if ( (*p) == 111 )
		goto tr761;
	goto st0;
st708:
	if ( ++p == pe )
		goto _test_eof708;
case 708:
	if ( (*p) == 101 )
		goto st709;
	goto st0;
st709:
	if ( ++p == pe )
		goto _test_eof709;
case 709:
	if ( (*p) == 112 )
		goto st710;
	goto st0;
st710:
	if ( ++p == pe )
		goto _test_eof710;
case 710:
	if ( (*p) == 111 )
		goto st711;
	goto st0;
st711:
	if ( ++p == pe )
		goto _test_eof711;
case 711:
	if ( (*p) == 110 )
		goto st712;
	goto st0;
st712:
	if ( ++p == pe )
		goto _test_eof712;
case 712:
	if ( (*p) == 107 )
		goto st713;
	goto st0;
st713:
	if ( ++p == pe )
		goto _test_eof713;
case 713:
	if ( (*p) == 101 )
		goto st714;
	goto st0;
st714:
	if ( ++p == pe )
		goto _test_eof714;
case 714:
	if ( (*p) == 100 )
		goto st715;
	goto st0;
st715:
	if ( ++p == pe )
		goto _test_eof715;
case 715:
	if ( (*p) == 101 )
		goto tr769;
	goto st0;
st716:
	if ( ++p == pe )
		goto _test_eof716;
case 716:
	switch( (*p) ) {
		case 109: goto st717;
		case 110: goto st721;
		case 115: goto st728;
	}
	goto st0;
st717:
	if ( ++p == pe )
		goto _test_eof717;
case 717:
	if ( (*p) == 101 )
		goto st718;
	goto st0;
st718:
	if ( ++p == pe )
		goto _test_eof718;
case 718:
	if ( (*p) == 110 )
		goto st719;
	goto st0;
st719:
	if ( ++p == pe )
		goto _test_eof719;
case 719:
	if ( (*p) == 103 )
		goto st720;
	goto st0;
st720:
	if ( ++p == pe )
		goto _test_eof720;
case 720:
	if ( (*p) == 105 )
		goto tr776;
	goto st0;
st721:
	if ( ++p == pe )
		goto _test_eof721;
case 721:
	if ( (*p) == 98 )
		goto st722;
	goto st0;
st722:
	if ( ++p == pe )
		goto _test_eof722;
case 722:
	if ( (*p) == 101 )
		goto st723;
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
	if ( (*p) == 112 )
		goto st726;
	goto st0;
st726:
	if ( ++p == pe )
		goto _test_eof726;
case 726:
	if ( (*p) == 105 )
		goto st727;
	goto st0;
st727:
	if ( ++p == pe )
		goto _test_eof727;
case 727:
	if ( (*p) == 110 )
		goto tr783;
	goto st0;
st728:
	if ( ++p == pe )
		goto _test_eof728;
case 728:
	if ( (*p) == 116 )
		goto st729;
	goto st0;
st729:
	if ( ++p == pe )
		goto _test_eof729;
case 729:
	if ( (*p) == 107 )
		goto st730;
	goto st0;
st730:
	if ( ++p == pe )
		goto _test_eof730;
case 730:
	if ( (*p) == 105 )
		goto st731;
	goto st0;
st731:
	if ( ++p == pe )
		goto _test_eof731;
case 731:
	if ( (*p) == 107 )
		goto st732;
	goto st0;
st732:
	if ( ++p == pe )
		goto _test_eof732;
case 732:
	if ( (*p) == 101 )
		goto st733;
	goto st0;
st733:
	if ( ++p == pe )
		goto _test_eof733;
case 733:
	if ( (*p) == 114 )
		goto st734;
	goto st0;
st734:
	if ( ++p == pe )
		goto _test_eof734;
case 734:
	if ( (*p) == 115 )
		goto st735;
	goto st0;
st735:
	if ( ++p == pe )
		goto _test_eof735;
case 735:
	if ( (*p) == 101 )
		goto st736;
	goto st0;
st736:
	if ( ++p == pe )
		goto _test_eof736;
case 736:
	if ( (*p) == 114 )
		goto st737;
	goto st0;
st737:
	if ( ++p == pe )
		goto _test_eof737;
case 737:
	if ( (*p) == 118 )
		goto st738;
	goto st0;
st738:
	if ( ++p == pe )
		goto _test_eof738;
case 738:
	if ( (*p) == 97 )
		goto st739;
	goto st0;
st739:
	if ( ++p == pe )
		goto _test_eof739;
case 739:
	if ( (*p) == 114 )
		goto st740;
	goto st0;
st740:
	if ( ++p == pe )
		goto _test_eof740;
case 740:
	if ( (*p) == 97 )
		goto st741;
	goto st0;
st741:
	if ( ++p == pe )
		goto _test_eof741;
case 741:
	if ( (*p) == 115 )
		goto st742;
	goto st0;
st742:
	if ( ++p == pe )
		goto _test_eof742;
case 742:
	if ( (*p) == 116 )
		goto tr798;
	goto st0;
st743:
	if ( ++p == pe )
		goto _test_eof743;
case 743:
	switch( (*p) ) {
		case 97: goto st744;
		case 101: goto st772;
		case 105: goto st808;
		case 111: goto st847;
		case 117: goto st898;
	}
	goto st0;
st744:
	if ( ++p == pe )
		goto _test_eof744;
case 744:
	switch( (*p) ) {
		case 98: goto st745;
		case 114: goto st753;
		case 115: goto st759;
	}
	goto st0;
st745:
	if ( ++p == pe )
		goto _test_eof745;
case 745:
	if ( (*p) == 105 )
		goto st746;
	goto st0;
st746:
	if ( ++p == pe )
		goto _test_eof746;
case 746:
	if ( (*p) == 114 )
		goto st747;
	goto st0;
st747:
	if ( ++p == pe )
		goto _test_eof747;
case 747:
	if ( (*p) == 105 )
		goto st748;
	goto st0;
st748:
	if ( ++p == pe )
		goto _test_eof748;
case 748:
	if ( (*p) == 114 )
		goto st749;
	goto st0;
st749:
	if ( ++p == pe )
		goto _test_eof749;
case 749:
	if ( (*p) == 122 )
		goto st750;
	goto st0;
st750:
	if ( ++p == pe )
		goto _test_eof750;
case 750:
	if ( (*p) == 117 )
		goto st751;
	goto st0;
st751:
	if ( ++p == pe )
		goto _test_eof751;
case 751:
	if ( (*p) == 109 )
		goto st752;
	goto st0;
st752:
	if ( ++p == pe )
		goto _test_eof752;
case 752:
	if ( (*p) == 101 )
		goto tr814;
	goto st0;
st753:
	if ( ++p == pe )
		goto _test_eof753;
case 753:
	if ( (*p) == 103 )
		goto st754;
	goto st0;
st754:
	if ( ++p == pe )
		goto _test_eof754;
case 754:
	if ( (*p) == 117 )
		goto st755;
	goto st0;
st755:
	if ( ++p == pe )
		goto _test_eof755;
case 755:
	if ( (*p) == 114 )
		goto st756;
	goto st0;
st756:
	if ( ++p == pe )
		goto _test_eof756;
case 756:
	if ( (*p) == 98 )
		goto st757;
	goto st0;
st757:
	if ( ++p == pe )
		goto _test_eof757;
case 757:
	if ( (*p) == 101 )
		goto st758;
	goto st0;
st758:
	if ( ++p == pe )
		goto _test_eof758;
case 758:
	if ( (*p) == 114 )
		goto tr820;
	goto st0;
st759:
	if ( ++p == pe )
		goto _test_eof759;
case 759:
	if ( (*p) == 101 )
		goto st760;
	goto st0;
st760:
	if ( ++p == pe )
		goto _test_eof760;
case 760:
	if ( (*p) == 110 )
		goto st761;
	goto st0;
st761:
	if ( ++p == pe )
		goto _test_eof761;
case 761:
	if ( (*p) == 122 )
		goto st762;
	goto st0;
st762:
	if ( ++p == pe )
		goto _test_eof762;
case 762:
	if ( (*p) == 101 )
		goto st763;
	goto st0;
st763:
	if ( ++p == pe )
		goto _test_eof763;
case 763:
	if ( (*p) == 114 )
		goto st764;
	goto st0;
st764:
	if ( ++p == pe )
		goto _test_eof764;
case 764:
	if ( (*p) == 116 )
		goto st765;
	goto st0;
st765:
	if ( ++p == pe )
		goto _test_eof765;
case 765:
	if ( (*p) == 117 )
		goto st766;
	goto st0;
st766:
	if ( ++p == pe )
		goto _test_eof766;
case 766:
	if ( (*p) == 110 )
		goto st767;
	goto st0;
st767:
	if ( ++p == pe )
		goto _test_eof767;
case 767:
	if ( (*p) == 114 )
		goto st768;
	goto st0;
st768:
	if ( ++p == pe )
		goto _test_eof768;
case 768:
	if ( (*p) == 111 )
		goto st769;
	goto st0;
st769:
	if ( ++p == pe )
		goto _test_eof769;
case 769:
	if ( (*p) == 122 )
		goto st770;
	goto st0;
st770:
	if ( ++p == pe )
		goto _test_eof770;
case 770:
	if ( (*p) == 117 )
		goto st771;
	goto st0;
st771:
	if ( ++p == pe )
		goto _test_eof771;
case 771:
	if ( (*p) == 114 )
		goto tr833;
	goto st0;
st772:
	if ( ++p == pe )
		goto _test_eof772;
case 772:
	switch( (*p) ) {
		case 109: goto st773;
		case 114: goto st785;
		case 115: goto st790;
	}
	goto st0;
st773:
	if ( ++p == pe )
		goto _test_eof773;
case 773:
	if ( (*p) == 105 )
		goto st774;
	goto st0;
st774:
	if ( ++p == pe )
		goto _test_eof774;
case 774:
	if ( (*p) == 112 )
		goto st775;
	goto st0;
st775:
	if ( ++p == pe )
		goto _test_eof775;
case 775:
	if ( (*p) == 105 )
		goto st776;
	goto st0;
st776:
	if ( ++p == pe )
		goto _test_eof776;
case 776:
	if ( (*p) == 109 )
		goto st777;
	goto st0;
st777:
	if ( ++p == pe )
		goto _test_eof777;
case 777:
	if ( (*p) == 97 )
		goto st778;
	goto st0;
st778:
	if ( ++p == pe )
		goto _test_eof778;
case 778:
	if ( (*p) == 103 )
		goto st779;
	goto st0;
st779:
	if ( ++p == pe )
		goto _test_eof779;
case 779:
	if ( (*p) == 97 )
		goto st780;
	goto st0;
st780:
	if ( ++p == pe )
		goto _test_eof780;
case 780:
	if ( (*p) == 114 )
		goto st781;
	goto st0;
st781:
	if ( ++p == pe )
		goto _test_eof781;
case 781:
	if ( (*p) == 105 )
		goto st782;
	goto st0;
st782:
	if ( ++p == pe )
		goto _test_eof782;
case 782:
	if ( (*p) == 110 )
		goto st783;
	goto st0;
st783:
	if ( ++p == pe )
		goto _test_eof783;
case 783:
	if ( (*p) == 100 )
		goto st784;
	goto st0;
st784:
	if ( ++p == pe )
		goto _test_eof784;
case 784:
	if ( (*p) == 101 )
		goto tr848;
	goto st0;
st785:
	if ( ++p == pe )
		goto _test_eof785;
case 785:
	if ( (*p) == 108 )
		goto st786;
	goto st0;
st786:
	if ( ++p == pe )
		goto _test_eof786;
case 786:
	if ( (*p) == 111 )
		goto st787;
	goto st0;
st787:
	if ( ++p == pe )
		goto _test_eof787;
case 787:
	if ( (*p) == 112 )
		goto st788;
	goto st0;
st788:
	if ( ++p == pe )
		goto _test_eof788;
case 788:
	if ( (*p) == 117 )
		goto st789;
	goto st0;
st789:
	if ( ++p == pe )
		goto _test_eof789;
case 789:
	if ( (*p) == 110 )
		goto tr853;
	goto st0;
st790:
	if ( ++p == pe )
		goto _test_eof790;
case 790:
	if ( (*p) == 116 )
		goto st791;
	goto st0;
st791:
	if ( ++p == pe )
		goto _test_eof791;
case 791:
	if ( (*p) == 122 )
		goto st792;
	goto st0;
st792:
	if ( ++p == pe )
		goto _test_eof792;
case 792:
	if ( (*p) == 97 )
		goto st793;
	goto st0;
st793:
	if ( ++p == pe )
		goto _test_eof793;
case 793:
	if ( (*p) == 110 )
		goto st794;
	goto st0;
st794:
	if ( ++p == pe )
		goto _test_eof794;
case 794:
	if ( (*p) == 98 )
		goto st795;
	goto st0;
st795:
	if ( ++p == pe )
		goto _test_eof795;
case 795:
	if ( (*p) == 97 )
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
	if ( (*p) == 108 )
		goto st798;
	goto st0;
st798:
	if ( ++p == pe )
		goto _test_eof798;
case 798:
	if ( (*p) == 117 )
		goto st799;
	goto st0;
st799:
	if ( ++p == pe )
		goto _test_eof799;
case 799:
	if ( (*p) == 108 )
		goto st800;
	goto st0;
st800:
	if ( ++p == pe )
		goto _test_eof800;
case 800:
	if ( (*p) == 117 )
		goto st801;
	goto st0;
st801:
	if ( ++p == pe )
		goto _test_eof801;
case 801:
	if ( (*p) == 122 )
		goto st802;
	goto st0;
st802:
	if ( ++p == pe )
		goto _test_eof802;
case 802:
	if ( (*p) == 105 )
		goto st803;
	goto st0;
st803:
	if ( ++p == pe )
		goto _test_eof803;
case 803:
	if ( (*p) == 108 )
		goto st804;
	goto st0;
st804:
	if ( ++p == pe )
		goto _test_eof804;
case 804:
	if ( (*p) == 97 )
		goto st805;
	goto st0;
st805:
	if ( ++p == pe )
		goto _test_eof805;
case 805:
	if ( (*p) == 116 )
		goto st806;
	goto st0;
st806:
	if ( ++p == pe )
		goto _test_eof806;
case 806:
	if ( (*p) == 105 )
		goto st807;
	goto st0;
st807:
	if ( ++p == pe )
		goto _test_eof807;
case 807:
	if ( (*p) == 114 )
		goto tr871;
	goto st0;
st808:
	if ( ++p == pe )
		goto _test_eof808;
case 808:
	switch( (*p) ) {
		case 114: goto st809;
		case 115: goto st822;
	}
	goto st0;
st809:
	if ( ++p == pe )
		goto _test_eof809;
case 809:
	if ( (*p) == 103 )
		goto st810;
	goto st0;
st810:
	if ( ++p == pe )
		goto _test_eof810;
case 810:
	if ( (*p) == 101 )
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
	if ( (*p) == 114 )
		goto st813;
	goto st0;
st813:
	if ( ++p == pe )
		goto _test_eof813;
case 813:
	if ( (*p) == 111 )
		goto st814;
	goto st0;
st814:
	if ( ++p == pe )
		goto _test_eof814;
case 814:
	if ( (*p) == 114 )
		goto st815;
	goto st0;
st815:
	if ( ++p == pe )
		goto _test_eof815;
case 815:
	if ( (*p) == 118 )
		goto st816;
	goto st0;
st816:
	if ( ++p == pe )
		goto _test_eof816;
case 816:
	if ( (*p) == 101 )
		goto st817;
	goto st0;
st817:
	if ( ++p == pe )
		goto _test_eof817;
case 817:
	if ( (*p) == 115 )
		goto st818;
	goto st0;
st818:
	if ( ++p == pe )
		goto _test_eof818;
case 818:
	if ( (*p) == 116 )
		goto st819;
	goto st0;
st819:
	if ( ++p == pe )
		goto _test_eof819;
case 819:
	if ( (*p) == 102 )
		goto st820;
	goto st0;
st820:
	if ( ++p == pe )
		goto _test_eof820;
case 820:
	if ( (*p) == 111 )
		goto st821;
	goto st0;
st821:
	if ( ++p == pe )
		goto _test_eof821;
case 821:
	if ( (*p) == 114 )
		goto tr886;
	goto st0;
st822:
	if ( ++p == pe )
		goto _test_eof822;
case 822:
	switch( (*p) ) {
		case 105: goto st823;
		case 116: goto st835;
	}
	goto st0;
st823:
	if ( ++p == pe )
		goto _test_eof823;
case 823:
	if ( (*p) == 107 )
		goto st824;
	goto st0;
st824:
	if ( ++p == pe )
		goto _test_eof824;
case 824:
	if ( (*p) == 111 )
		goto st825;
	goto st0;
st825:
	if ( ++p == pe )
		goto _test_eof825;
case 825:
	if ( (*p) == 115 )
		goto st826;
	goto st0;
st826:
	if ( ++p == pe )
		goto _test_eof826;
case 826:
	if ( (*p) == 116 )
		goto st827;
	goto st0;
st827:
	if ( ++p == pe )
		goto _test_eof827;
case 827:
	if ( (*p) == 108 )
		goto st828;
	goto st0;
st828:
	if ( ++p == pe )
		goto _test_eof828;
case 828:
	if ( (*p) == 117 )
		goto st829;
	goto st0;
st829:
	if ( ++p == pe )
		goto _test_eof829;
case 829:
	if ( (*p) == 114 )
		goto st830;
	goto st0;
st830:
	if ( ++p == pe )
		goto _test_eof830;
case 830:
	if ( (*p) == 111 )
		goto st831;
	goto st0;
st831:
	if ( ++p == pe )
		goto _test_eof831;
case 831:
	if ( (*p) == 110 )
		goto st832;
	goto st0;
st832:
	if ( ++p == pe )
		goto _test_eof832;
case 832:
	if ( (*p) == 98 )
		goto st833;
	goto st0;
st833:
	if ( ++p == pe )
		goto _test_eof833;
case 833:
	if ( (*p) == 97 )
		goto st834;
	goto st0;
st834:
	if ( ++p == pe )
		goto _test_eof834;
case 834:
	if ( (*p) == 114 )
		goto tr900;
	goto st0;
st835:
	if ( ++p == pe )
		goto _test_eof835;
case 835:
	if ( (*p) == 102 )
		goto st836;
	goto st0;
st836:
	if ( ++p == pe )
		goto _test_eof836;
case 836:
	if ( (*p) == 105 )
		goto st837;
	goto st0;
st837:
	if ( ++p == pe )
		goto _test_eof837;
case 837:
	if ( (*p) == 110 )
		goto st838;
	goto st0;
st838:
	if ( ++p == pe )
		goto _test_eof838;
case 838:
	if ( (*p) == 112 )
		goto st839;
	goto st0;
st839:
	if ( ++p == pe )
		goto _test_eof839;
case 839:
	if ( (*p) == 105 )
		goto st840;
	goto st0;
st840:
	if ( ++p == pe )
		goto _test_eof840;
case 840:
	if ( (*p) == 100 )
		goto st841;
	goto st0;
st841:
	if ( ++p == pe )
		goto _test_eof841;
case 841:
	if ( (*p) == 105 )
		goto st842;
	goto st0;
st842:
	if ( ++p == pe )
		goto _test_eof842;
case 842:
	if ( (*p) == 114 )
		goto st843;
	goto st0;
st843:
	if ( ++p == pe )
		goto _test_eof843;
case 843:
	if ( (*p) == 102 )
		goto st844;
	goto st0;
st844:
	if ( ++p == pe )
		goto _test_eof844;
case 844:
	if ( (*p) == 105 )
		goto st845;
	goto st0;
st845:
	if ( ++p == pe )
		goto _test_eof845;
case 845:
	if ( (*p) == 98 )
		goto st846;
	goto st0;
st846:
	if ( ++p == pe )
		goto _test_eof846;
case 846:
	if ( (*p) == 111 )
		goto tr912;
	goto st0;
st847:
	if ( ++p == pe )
		goto _test_eof847;
case 847:
	switch( (*p) ) {
		case 110: goto st848;
		case 114: goto st863;
		case 115: goto st872;
	}
	goto st0;
st848:
	if ( ++p == pe )
		goto _test_eof848;
case 848:
	if ( (*p) == 116 )
		goto st849;
	goto st0;
st849:
	if ( ++p == pe )
		goto _test_eof849;
case 849:
	if ( (*p) == 117 )
		goto st850;
	goto st0;
st850:
	if ( ++p == pe )
		goto _test_eof850;
case 850:
	if ( (*p) == 100 )
		goto st851;
	goto st0;
st851:
	if ( ++p == pe )
		goto _test_eof851;
case 851:
	if ( (*p) == 105 )
		goto st852;
	goto st0;
st852:
	if ( ++p == pe )
		goto _test_eof852;
case 852:
	if ( (*p) == 110 )
		goto st853;
	goto st0;
st853:
	if ( ++p == pe )
		goto _test_eof853;
case 853:
	if ( (*p) == 107 )
		goto st854;
	goto st0;
st854:
	if ( ++p == pe )
		goto _test_eof854;
case 854:
	if ( (*p) == 101 )
		goto st855;
	goto st0;
st855:
	if ( ++p == pe )
		goto _test_eof855;
case 855:
	if ( (*p) == 115 )
		goto st856;
	goto st0;
st856:
	if ( ++p == pe )
		goto _test_eof856;
case 856:
	if ( (*p) == 116 )
		goto st857;
	goto st0;
st857:
	if ( ++p == pe )
		goto _test_eof857;
case 857:
	if ( (*p) == 115 )
		goto st858;
	goto st0;
st858:
	if ( ++p == pe )
		goto _test_eof858;
case 858:
	if ( (*p) == 105 )
		goto st859;
	goto st0;
st859:
	if ( ++p == pe )
		goto _test_eof859;
case 859:
	if ( (*p) == 115 )
		goto st860;
	goto st0;
st860:
	if ( ++p == pe )
		goto _test_eof860;
case 860:
	if ( (*p) == 116 )
		goto st861;
	goto st0;
st861:
	if ( ++p == pe )
		goto _test_eof861;
case 861:
	if ( (*p) == 107 )
		goto st862;
	goto st0;
st862:
	if ( ++p == pe )
		goto _test_eof862;
case 862:
	if ( (*p) == 97 )
		goto tr930;
	goto st0;
st863:
	if ( ++p == pe )
		goto _test_eof863;
case 863:
	switch( (*p) ) {
		case 118: goto st864;
		case 122: goto st869;
	}
	goto st0;
st864:
	if ( ++p == pe )
		goto _test_eof864;
case 864:
	if ( (*p) == 101 )
		goto st865;
	goto st0;
st865:
	if ( ++p == pe )
		goto _test_eof865;
case 865:
	if ( (*p) == 110 )
		goto st866;
	goto st0;
st866:
	if ( ++p == pe )
		goto _test_eof866;
case 866:
	if ( (*p) == 97 )
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
	if ( (*p) == 101 )
		goto tr937;
	goto st0;
st869:
	if ( ++p == pe )
		goto _test_eof869;
case 869:
	if ( (*p) == 101 )
		goto st870;
	goto st0;
st870:
	if ( ++p == pe )
		goto _test_eof870;
case 870:
	if ( (*p) == 108 )
		goto st871;
	goto st0;
st871:
	if ( ++p == pe )
		goto _test_eof871;
case 871:
	if ( (*p) == 101 )
		goto tr940;
	goto st0;
st872:
	if ( ++p == pe )
		goto _test_eof872;
case 872:
	switch( (*p) ) {
		case 97: goto st873;
		case 116: goto st881;
	}
	goto st0;
st873:
	if ( ++p == pe )
		goto _test_eof873;
case 873:
	if ( (*p) == 115 )
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
	if ( (*p) == 103 )
		goto st876;
	goto st0;
st876:
	if ( ++p == pe )
		goto _test_eof876;
case 876:
	if ( (*p) == 101 )
		goto st877;
	goto st0;
st877:
	if ( ++p == pe )
		goto _test_eof877;
case 877:
	if ( (*p) == 115 )
		goto st878;
	goto st0;
st878:
	if ( ++p == pe )
		goto _test_eof878;
case 878:
	if ( (*p) == 116 )
		goto st879;
	goto st0;
st879:
	if ( ++p == pe )
		goto _test_eof879;
case 879:
	if ( (*p) == 109 )
		goto st880;
	goto st0;
st880:
	if ( ++p == pe )
		goto _test_eof880;
case 880:
	if ( (*p) == 97 )
		goto tr950;
	goto st0;
st881:
	if ( ++p == pe )
		goto _test_eof881;
case 881:
	switch( (*p) ) {
		case 112: goto st882;
		case 114: goto st884;
	}
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
	if ( (*p) == 110 )
		goto tr954;
	goto st0;
st884:
	if ( ++p == pe )
		goto _test_eof884;
case 884:
	if ( (*p) == 111 )
		goto st885;
	goto st0;
st885:
	if ( ++p == pe )
		goto _test_eof885;
case 885:
	if ( (*p) == 110 )
		goto st886;
	goto st0;
st886:
	if ( ++p == pe )
		goto _test_eof886;
case 886:
	if ( (*p) == 103 )
		goto st887;
	goto st0;
st887:
	if ( ++p == pe )
		goto _test_eof887;
case 887:
	if ( (*p) == 117 )
		goto st888;
	goto st0;
st888:
	if ( ++p == pe )
		goto _test_eof888;
case 888:
	if ( (*p) == 114 )
		goto st889;
	goto st0;
st889:
	if ( ++p == pe )
		goto _test_eof889;
case 889:
	if ( (*p) == 100 )
		goto st890;
	goto st0;
st890:
	if ( ++p == pe )
		goto _test_eof890;
case 890:
	if ( (*p) == 117 )
		goto st891;
	goto st0;
st891:
	if ( ++p == pe )
		goto _test_eof891;
case 891:
	if ( (*p) == 110 )
		goto st892;
	goto st0;
st892:
	if ( ++p == pe )
		goto _test_eof892;
case 892:
	if ( (*p) == 122 )
		goto st893;
	goto st0;
st893:
	if ( ++p == pe )
		goto _test_eof893;
case 893:
	if ( (*p) == 111 )
		goto st894;
	goto st0;
st894:
	if ( ++p == pe )
		goto _test_eof894;
case 894:
	if ( (*p) == 108 )
		goto st895;
	goto st0;
st895:
	if ( ++p == pe )
		goto _test_eof895;
case 895:
	if ( (*p) == 105 )
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
	if ( (*p) == 116 )
		goto tr968;
	goto st0;
st898:
	if ( ++p == pe )
		goto _test_eof898;
case 898:
	switch( (*p) ) {
		case 100: goto st899;
		case 110: goto st901;
		case 114: goto st934;
		case 115: goto st942;
	}
	goto st0;
st899:
	if ( ++p == pe )
		goto _test_eof899;
case 899:
	switch( (*p) ) {
		case 97: goto st900;
		case 105: goto tr974;
	}
	goto st0;
st900:
	if ( ++p == pe )
		goto _test_eof900;
case 900:
	if ( (*p) == 114 )
		goto tr975;
	goto st0;
st901:
	if ( ++p == pe )
		goto _test_eof901;
case 901:
	switch( (*p) ) {
		case 101: goto st902;
		case 103: goto st911;
		case 115: goto st927;
	}
	goto st0;
st902:
	if ( ++p == pe )
		goto _test_eof902;
case 902:
	if ( (*p) == 107 )
		goto st903;
	goto st0;
st903:
	if ( ++p == pe )
		goto _test_eof903;
case 903:
	if ( (*p) == 105 )
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
	if ( (*p) == 102 )
		goto st906;
	goto st0;
st906:
	if ( ++p == pe )
		goto _test_eof906;
case 906:
	if ( (*p) == 117 )
		goto st907;
	goto st0;
st907:
	if ( ++p == pe )
		goto _test_eof907;
case 907:
	if ( (*p) == 110 )
		goto st908;
	goto st0;
st908:
	if ( ++p == pe )
		goto _test_eof908;
case 908:
	if ( (*p) == 117 )
		goto st909;
	goto st0;
st909:
	if ( ++p == pe )
		goto _test_eof909;
case 909:
	if ( (*p) == 115 )
		goto st910;
	goto st0;
st910:
	if ( ++p == pe )
		goto _test_eof910;
case 910:
	if ( (*p) == 116 )
		goto tr987;
	goto st0;
st911:
	if ( ++p == pe )
		goto _test_eof911;
case 911:
	if ( (*p) == 105 )
		goto st912;
	goto st0;
st912:
	if ( ++p == pe )
		goto _test_eof912;
case 912:
	if ( (*p) == 114 )
		goto st913;
	goto st0;
st913:
	if ( ++p == pe )
		goto _test_eof913;
case 913:
	if ( (*p) == 100 )
		goto st914;
	goto st0;
st914:
	if ( ++p == pe )
		goto _test_eof914;
case 914:
	if ( (*p) == 105 )
		goto st915;
	goto st0;
st915:
	if ( ++p == pe )
		goto _test_eof915;
case 915:
	if ( (*p) == 115 )
		goto st916;
	goto st0;
st916:
	if ( ++p == pe )
		goto _test_eof916;
case 916:
	if ( (*p) == 116 )
		goto st917;
	goto st0;
st917:
	if ( ++p == pe )
		goto _test_eof917;
case 917:
	if ( (*p) == 110 )
		goto st918;
	goto st0;
st918:
	if ( ++p == pe )
		goto _test_eof918;
case 918:
	if ( (*p) == 111 )
		goto st919;
	goto st0;
st919:
	if ( ++p == pe )
		goto _test_eof919;
case 919:
	if ( (*p) == 107 )
		goto st920;
	goto st0;
st920:
	if ( ++p == pe )
		goto _test_eof920;
case 920:
	if ( (*p) == 111 )
		goto st921;
	goto st0;
st921:
	if ( ++p == pe )
		goto _test_eof921;
case 921:
	if ( (*p) == 115 )
		goto st922;
	goto st0;
st922:
	if ( ++p == pe )
		goto _test_eof922;
case 922:
	if ( (*p) == 117 )
		goto st923;
	goto st0;
st923:
	if ( ++p == pe )
		goto _test_eof923;
case 923:
	if ( (*p) == 114 )
		goto st924;
	goto st0;
st924:
	if ( ++p == pe )
		goto _test_eof924;
case 924:
	if ( (*p) == 98 )
		goto st925;
	goto st0;
st925:
	if ( ++p == pe )
		goto _test_eof925;
case 925:
	if ( (*p) == 101 )
		goto st926;
	goto st0;
st926:
	if ( ++p == pe )
		goto _test_eof926;
case 926:
	if ( (*p) == 114 )
		goto tr1003;
	goto st0;
st927:
	if ( ++p == pe )
		goto _test_eof927;
case 927:
	if ( (*p) == 97 )
		goto st928;
	goto st0;
st928:
	if ( ++p == pe )
		goto _test_eof928;
case 928:
	if ( (*p) == 110 )
		goto st929;
	goto st0;
st929:
	if ( ++p == pe )
		goto _test_eof929;
case 929:
	if ( (*p) == 97 )
		goto st930;
	goto st0;
st930:
	if ( ++p == pe )
		goto _test_eof930;
case 930:
	if ( (*p) == 114 )
		goto st931;
	goto st0;
st931:
	if ( ++p == pe )
		goto _test_eof931;
case 931:
	if ( (*p) == 114 )
		goto st932;
	goto st0;
st932:
	if ( ++p == pe )
		goto _test_eof932;
case 932:
	if ( (*p) == 101 )
		goto st933;
	goto st0;
st933:
	if ( ++p == pe )
		goto _test_eof933;
case 933:
	if ( (*p) == 110 )
		goto tr1010;
	goto st0;
st934:
	if ( ++p == pe )
		goto _test_eof934;
case 934:
	if ( (*p) == 116 )
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
	if ( (*p) == 115 )
		goto st937;
	goto st0;
st937:
	if ( ++p == pe )
		goto _test_eof937;
case 937:
	if ( (*p) == 116 )
		goto st938;
	goto st0;
st938:
	if ( ++p == pe )
		goto _test_eof938;
case 938:
	if ( (*p) == 108 )
		goto st939;
	goto st0;
st939:
	if ( ++p == pe )
		goto _test_eof939;
case 939:
	if ( (*p) == 105 )
		goto st940;
	goto st0;
st940:
	if ( ++p == pe )
		goto _test_eof940;
case 940:
	if ( (*p) == 109 )
		goto st941;
	goto st0;
st941:
	if ( ++p == pe )
		goto _test_eof941;
case 941:
	if ( (*p) == 101 )
		goto tr1018;
	goto st0;
st942:
	if ( ++p == pe )
		goto _test_eof942;
case 942:
	if ( (*p) == 116 )
		goto st943;
	goto st0;
st943:
	if ( ++p == pe )
		goto _test_eof943;
case 943:
	if ( (*p) == 102 )
		goto st944;
	goto st0;
st944:
	if ( ++p == pe )
		goto _test_eof944;
case 944:
	if ( (*p) == 101 )
		goto st945;
	goto st0;
st945:
	if ( ++p == pe )
		goto _test_eof945;
case 945:
	if ( (*p) == 110 )
		goto st946;
	goto st0;
st946:
	if ( ++p == pe )
		goto _test_eof946;
case 946:
	if ( (*p) == 100 )
		goto st947;
	goto st0;
st947:
	if ( ++p == pe )
		goto _test_eof947;
case 947:
	if ( (*p) == 105 )
		goto st948;
	goto st0;
st948:
	if ( ++p == pe )
		goto _test_eof948;
case 948:
	if ( (*p) == 102 )
		goto st949;
	goto st0;
st949:
	if ( ++p == pe )
		goto _test_eof949;
case 949:
	if ( (*p) == 117 )
		goto st950;
	goto st0;
st950:
	if ( ++p == pe )
		goto _test_eof950;
case 950:
	if ( (*p) == 114 )
		goto st951;
	goto st0;
st951:
	if ( ++p == pe )
		goto _test_eof951;
case 951:
	if ( (*p) == 115 )
		goto st952;
	goto st0;
st952:
	if ( ++p == pe )
		goto _test_eof952;
case 952:
	if ( (*p) == 105 )
		goto st953;
	goto st0;
st953:
	if ( ++p == pe )
		goto _test_eof953;
case 953:
	if ( (*p) == 114 )
		goto tr1030;
	goto st0;
st954:
	if ( ++p == pe )
		goto _test_eof954;
case 954:
	switch( (*p) ) {
		case 97: goto st955;
		case 101: goto st1021;
		case 105: goto st1079;
		case 111: goto st1118;
		case 117: goto st1159;
	}
	goto st0;
st955:
	if ( ++p == pe )
		goto _test_eof955;
case 955:
	switch( (*p) ) {
		case 110: goto st956;
		case 114: goto st966;
		case 115: goto st977;
	}
	goto st0;
st956:
	if ( ++p == pe )
		goto _test_eof956;
case 956:
	if ( (*p) == 117 )
		goto st957;
	goto st0;
st957:
	if ( ++p == pe )
		goto _test_eof957;
case 957:
	if ( (*p) == 109 )
		goto st958;
	goto st0;
st958:
	if ( ++p == pe )
		goto _test_eof958;
case 958:
	if ( (*p) == 117 )
		goto st959;
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
	if ( (*p) == 107 )
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
	if ( (*p) == 114 )
		goto st963;
	goto st0;
st963:
	if ( ++p == pe )
		goto _test_eof963;
case 963:
	if ( (*p) == 112 )
		goto st964;
	goto st0;
st964:
	if ( ++p == pe )
		goto _test_eof964;
case 964:
	if ( (*p) == 105 )
		goto st965;
	goto st0;
st965:
	if ( ++p == pe )
		goto _test_eof965;
case 965:
	if ( (*p) == 114 )
		goto tr1048;
	goto st0;
st966:
	if ( ++p == pe )
		goto _test_eof966;
case 966:
	if ( (*p) == 114 )
		goto st967;
	goto st0;
st967:
	if ( ++p == pe )
		goto _test_eof967;
case 967:
	if ( (*p) == 97 )
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
		goto st970;
	goto st0;
st970:
	if ( ++p == pe )
		goto _test_eof970;
case 970:
	if ( (*p) == 100 )
		goto st971;
	goto st0;
st971:
	if ( ++p == pe )
		goto _test_eof971;
case 971:
	if ( (*p) == 105 )
		goto st972;
	goto st0;
st972:
	if ( ++p == pe )
		goto _test_eof972;
case 972:
	if ( (*p) == 114 )
		goto st973;
	goto st0;
st973:
	if ( ++p == pe )
		goto _test_eof973;
case 973:
	if ( (*p) == 117 )
		goto st974;
	goto st0;
st974:
	if ( ++p == pe )
		goto _test_eof974;
case 974:
	if ( (*p) == 103 )
		goto st975;
	goto st0;
st975:
	if ( ++p == pe )
		goto _test_eof975;
case 975:
	if ( (*p) == 101 )
		goto st976;
	goto st0;
st976:
	if ( ++p == pe )
		goto _test_eof976;
case 976:
	if ( (*p) == 114 )
		goto tr1059;
	goto st0;
st977:
	if ( ++p == pe )
		goto _test_eof977;
case 977:
	if ( (*p) == 116 )
		goto st978;
	goto st0;
st978:
	if ( ++p == pe )
		goto _test_eof978;
case 978:
	switch( (*p) ) {
		case 110: goto st979;
		case 112: goto st996;
		case 116: goto st1012;
	}
	goto st0;
st979:
	if ( ++p == pe )
		goto _test_eof979;
case 979:
	if ( (*p) == 111 )
		goto st980;
	goto st0;
st980:
	if ( ++p == pe )
		goto _test_eof980;
case 980:
	if ( (*p) == 102 )
		goto st981;
	goto st0;
st981:
	if ( ++p == pe )
		goto _test_eof981;
case 981:
	if ( (*p) == 117 )
		goto st982;
	goto st0;
st982:
	if ( ++p == pe )
		goto _test_eof982;
case 982:
	if ( (*p) == 107 )
		goto st983;
	goto st0;
st983:
	if ( ++p == pe )
		goto _test_eof983;
case 983:
	if ( (*p) == 97 )
		goto st984;
	goto st0;
st984:
	if ( ++p == pe )
		goto _test_eof984;
case 984:
	if ( (*p) == 110 )
		goto st985;
	goto st0;
st985:
	if ( ++p == pe )
		goto _test_eof985;
case 985:
	if ( (*p) == 122 )
		goto st986;
	goto st0;
st986:
	if ( ++p == pe )
		goto _test_eof986;
case 986:
	if ( (*p) == 101 )
		goto st987;
	goto st0;
st987:
	if ( ++p == pe )
		goto _test_eof987;
case 987:
	if ( (*p) == 114 )
		goto st988;
	goto st0;
st988:
	if ( ++p == pe )
		goto _test_eof988;
case 988:
	if ( (*p) == 100 )
		goto st989;
	goto st0;
st989:
	if ( ++p == pe )
		goto _test_eof989;
case 989:
	if ( (*p) == 117 )
		goto st990;
	goto st0;
st990:
	if ( ++p == pe )
		goto _test_eof990;
case 990:
	if ( (*p) == 114 )
		goto st991;
	goto st0;
st991:
	if ( ++p == pe )
		goto _test_eof991;
case 991:
	if ( (*p) == 122 )
		goto st992;
	goto st0;
st992:
	if ( ++p == pe )
		goto _test_eof992;
case 992:
	if ( (*p) == 101 )
		goto st993;
	goto st0;
st993:
	if ( ++p == pe )
		goto _test_eof993;
case 993:
	if ( (*p) == 114 )
		goto st994;
	goto st0;
st994:
	if ( ++p == pe )
		goto _test_eof994;
case 994:
	if ( (*p) == 109 )
		goto st995;
	goto st0;
st995:
	if ( ++p == pe )
		goto _test_eof995;
case 995:
	if ( (*p) == 105 )
		goto tr1080;
	goto st0;
st996:
	if ( ++p == pe )
		goto _test_eof996;
case 996:
	if ( (*p) == 97 )
		goto st997;
	goto st0;
st997:
	if ( ++p == pe )
		goto _test_eof997;
case 997:
	if ( (*p) == 112 )
		goto st998;
	goto st0;
st998:
	if ( ++p == pe )
		goto _test_eof998;
case 998:
	if ( (*p) == 105 )
		goto st999;
	goto st0;
st999:
	if ( ++p == pe )
		goto _test_eof999;
case 999:
	if ( (*p) == 98 )
		goto st1000;
	goto st0;
st1000:
	if ( ++p == pe )
		goto _test_eof1000;
case 1000:
	if ( (*p) == 117 )
		goto st1001;
	goto st0;
st1001:
	if ( ++p == pe )
		goto _test_eof1001;
case 1001:
	if ( (*p) == 114 )
		goto st1002;
	goto st0;
st1002:
	if ( ++p == pe )
		goto _test_eof1002;
case 1002:
	if ( (*p) == 116 )
		goto st1003;
	goto st0;
st1003:
	if ( ++p == pe )
		goto _test_eof1003;
case 1003:
	if ( (*p) == 101 )
		goto st1004;
	goto st0;
st1004:
	if ( ++p == pe )
		goto _test_eof1004;
case 1004:
	if ( (*p) == 110 )
		goto st1005;
	goto st0;
st1005:
	if ( ++p == pe )
		goto _test_eof1005;
case 1005:
	if ( (*p) == 112 )
		goto st1006;
	goto st0;
st1006:
	if ( ++p == pe )
		goto _test_eof1006;
case 1006:
	if ( (*p) == 117 )
		goto st1007;
	goto st0;
st1007:
	if ( ++p == pe )
		goto _test_eof1007;
case 1007:
	if ( (*p) == 115 )
		goto st1008;
	goto st0;
st1008:
	if ( ++p == pe )
		goto _test_eof1008;
case 1008:
	if ( (*p) == 116 )
		goto st1009;
	goto st0;
st1009:
	if ( ++p == pe )
		goto _test_eof1009;
case 1009:
	if ( (*p) == 115 )
		goto st1010;
	goto st0;
st1010:
	if ( ++p == pe )
		goto _test_eof1010;
case 1010:
	if ( (*p) == 105 )
		goto st1011;
	goto st0;
st1011:
	if ( ++p == pe )
		goto _test_eof1011;
case 1011:
	if ( (*p) == 114 )
		goto tr1096;
	goto st0;
st1012:
	if ( ++p == pe )
		goto _test_eof1012;
case 1012:
	if ( (*p) == 111 )
		goto st1013;
	goto st0;
st1013:
	if ( ++p == pe )
		goto _test_eof1013;
case 1013:
	if ( (*p) == 103 )
		goto st1014;
	goto st0;
st1014:
	if ( ++p == pe )
		goto _test_eof1014;
case 1014:
	if ( (*p) == 111 )
		goto st1015;
	goto st0;
st1015:
	if ( ++p == pe )
		goto _test_eof1015;
case 1015:
	if ( (*p) == 115 )
		goto st1016;
	goto st0;
st1016:
	if ( ++p == pe )
		goto _test_eof1016;
case 1016:
	if ( (*p) == 116 )
		goto st1017;
	goto st0;
st1017:
	if ( ++p == pe )
		goto _test_eof1017;
case 1017:
	if ( (*p) == 108 )
		goto st1018;
	goto st0;
st1018:
	if ( ++p == pe )
		goto _test_eof1018;
case 1018:
	if ( (*p) == 111 )
		goto st1019;
	goto st0;
st1019:
	if ( ++p == pe )
		goto _test_eof1019;
case 1019:
	if ( (*p) == 115 )
		goto st1020;
	goto st0;
st1020:
	if ( ++p == pe )
		goto _test_eof1020;
case 1020:
	if ( (*p) == 116 )
		goto tr1105;
	goto st0;
st1021:
	if ( ++p == pe )
		goto _test_eof1021;
case 1021:
	switch( (*p) ) {
		case 110: goto st1022;
		case 112: goto st1028;
		case 114: goto st1038;
		case 115: goto st1058;
		case 116: goto st1073;
	}
	goto st0;
st1022:
	if ( ++p == pe )
		goto _test_eof1022;
case 1022:
	if ( (*p) == 100 )
		goto st1023;
	goto st0;
st1023:
	if ( ++p == pe )
		goto _test_eof1023;
case 1023:
	if ( (*p) == 111 )
		goto st1024;
	goto st0;
st1024:
	if ( ++p == pe )
		goto _test_eof1024;
case 1024:
	if ( (*p) == 114 )
		goto st1025;
	goto st0;
st1025:
	if ( ++p == pe )
		goto _test_eof1025;
case 1025:
	if ( (*p) == 98 )
		goto st1026;
	goto st0;
st1026:
	if ( ++p == pe )
		goto _test_eof1026;
case 1026:
	if ( (*p) == 111 )
		goto st1027;
	goto st0;
st1027:
	if ( ++p == pe )
		goto _test_eof1027;
case 1027:
	if ( (*p) == 114 )
		goto tr1116;
	goto st0;
st1028:
	if ( ++p == pe )
		goto _test_eof1028;
case 1028:
	if ( (*p) == 117 )
		goto st1029;
	goto st0;
st1029:
	if ( ++p == pe )
		goto _test_eof1029;
case 1029:
	if ( (*p) == 114 )
		goto st1030;
	goto st0;
st1030:
	if ( ++p == pe )
		goto _test_eof1030;
case 1030:
	if ( (*p) == 112 )
		goto st1031;
	goto st0;
st1031:
	if ( ++p == pe )
		goto _test_eof1031;
case 1031:
	if ( (*p) == 105 )
		goto st1032;
	goto st0;
st1032:
	if ( ++p == pe )
		goto _test_eof1032;
case 1032:
	if ( (*p) == 115 )
		goto st1033;
	goto st0;
st1033:
	if ( ++p == pe )
		goto _test_eof1033;
case 1033:
	if ( (*p) == 116 )
		goto st1034;
	goto st0;
st1034:
	if ( ++p == pe )
		goto _test_eof1034;
case 1034:
	if ( (*p) == 115 )
		goto st1035;
	goto st0;
st1035:
	if ( ++p == pe )
		goto _test_eof1035;
case 1035:
	if ( (*p) == 117 )
		goto st1036;
	goto st0;
st1036:
	if ( ++p == pe )
		goto _test_eof1036;
case 1036:
	if ( (*p) == 115 )
		goto st1037;
	goto st0;
st1037:
	if ( ++p == pe )
		goto _test_eof1037;
case 1037:
	if ( (*p) == 116 )
		goto tr1126;
	goto st0;
st1038:
	if ( ++p == pe )
		goto _test_eof1038;
case 1038:
	switch( (*p) ) {
		case 107: goto st1039;
		case 112: goto st1046;
	}
	goto st0;
st1039:
	if ( ++p == pe )
		goto _test_eof1039;
case 1039:
	if ( (*p) == 105 )
		goto st1040;
	goto st0;
st1040:
	if ( ++p == pe )
		goto _test_eof1040;
case 1040:
	if ( (*p) == 115 )
		goto st1041;
	goto st0;
st1041:
	if ( ++p == pe )
		goto _test_eof1041;
case 1041:
	if ( (*p) == 116 )
		goto st1042;
	goto st0;
st1042:
	if ( ++p == pe )
		goto _test_eof1042;
case 1042:
	if ( (*p) == 115 )
		goto st1043;
	goto st0;
st1043:
	if ( ++p == pe )
		goto _test_eof1043;
case 1043:
	if ( (*p) == 111 )
		goto st1044;
	goto st0;
st1044:
	if ( ++p == pe )
		goto _test_eof1044;
case 1044:
	if ( (*p) == 116 )
		goto st1045;
	goto st0;
st1045:
	if ( ++p == pe )
		goto _test_eof1045;
case 1045:
	if ( (*p) == 97 )
		goto tr1135;
	goto st0;
st1046:
	if ( ++p == pe )
		goto _test_eof1046;
case 1046:
	if ( (*p) == 101 )
		goto st1047;
	goto st0;
st1047:
	if ( ++p == pe )
		goto _test_eof1047;
case 1047:
	if ( (*p) == 115 )
		goto st1048;
	goto st0;
st1048:
	if ( ++p == pe )
		goto _test_eof1048;
case 1048:
	if ( (*p) == 116 )
		goto st1049;
	goto st0;
st1049:
	if ( ++p == pe )
		goto _test_eof1049;
case 1049:
	if ( (*p) == 122 )
		goto st1050;
	goto st0;
st1050:
	if ( ++p == pe )
		goto _test_eof1050;
case 1050:
	if ( (*p) == 97 )
		goto st1051;
	goto st0;
st1051:
	if ( ++p == pe )
		goto _test_eof1051;
case 1051:
	if ( (*p) == 115 )
		goto st1052;
	goto st0;
st1052:
	if ( ++p == pe )
		goto _test_eof1052;
case 1052:
	if ( (*p) == 116 )
		goto st1053;
	goto st0;
st1053:
	if ( ++p == pe )
		goto _test_eof1053;
case 1053:
	if ( (*p) == 110 )
		goto st1054;
	goto st0;
st1054:
	if ( ++p == pe )
		goto _test_eof1054;
case 1054:
	if ( (*p) == 105 )
		goto st1055;
	goto st0;
st1055:
	if ( ++p == pe )
		goto _test_eof1055;
case 1055:
	if ( (*p) == 112 )
		goto st1056;
	goto st0;
st1056:
	if ( ++p == pe )
		goto _test_eof1056;
case 1056:
	if ( (*p) == 105 )
		goto st1057;
	goto st0;
st1057:
	if ( ++p == pe )
		goto _test_eof1057;
case 1057:
	if ( (*p) == 114 )
		goto tr1147;
	goto st0;
st1058:
	if ( ++p == pe )
		goto _test_eof1058;
case 1058:
	if ( (*p) == 116 )
		goto st1059;
	goto st0;
st1059:
	if ( ++p == pe )
		goto _test_eof1059;
case 1059:
	if ( (*p) == 102 )
		goto st1060;
	goto st0;
st1060:
	if ( ++p == pe )
		goto _test_eof1060;
case 1060:
	if ( (*p) == 101 )
		goto st1061;
	goto st0;
st1061:
	if ( ++p == pe )
		goto _test_eof1061;
case 1061:
	if ( (*p) == 98 )
		goto st1062;
	goto st0;
st1062:
	if ( ++p == pe )
		goto _test_eof1062;
case 1062:
	if ( (*p) == 101 )
		goto st1063;
	goto st0;
st1063:
	if ( ++p == pe )
		goto _test_eof1063;
case 1063:
	if ( (*p) == 109 )
		goto st1064;
	goto st0;
st1064:
	if ( ++p == pe )
		goto _test_eof1064;
case 1064:
	if ( (*p) == 97 )
		goto st1065;
	goto st0;
st1065:
	if ( ++p == pe )
		goto _test_eof1065;
case 1065:
	if ( (*p) == 115 )
		goto st1066;
	goto st0;
st1066:
	if ( ++p == pe )
		goto _test_eof1066;
case 1066:
	if ( (*p) == 116 )
		goto st1067;
	goto st0;
st1067:
	if ( ++p == pe )
		goto _test_eof1067;
case 1067:
	if ( (*p) == 114 )
		goto st1068;
	goto st0;
st1068:
	if ( ++p == pe )
		goto _test_eof1068;
case 1068:
	if ( (*p) == 101 )
		goto st1069;
	goto st0;
st1069:
	if ( ++p == pe )
		goto _test_eof1069;
case 1069:
	if ( (*p) == 115 )
		goto st1070;
	goto st0;
st1070:
	if ( ++p == pe )
		goto _test_eof1070;
case 1070:
	if ( (*p) == 97 )
		goto st1071;
	goto st0;
st1071:
	if ( ++p == pe )
		goto _test_eof1071;
case 1071:
	if ( (*p) == 118 )
		goto st1072;
	goto st0;
st1072:
	if ( ++p == pe )
		goto _test_eof1072;
case 1072:
	if ( (*p) == 97 )
		goto tr1162;
	goto st0;
st1073:
	if ( ++p == pe )
		goto _test_eof1073;
case 1073:
	if ( (*p) == 117 )
		goto st1074;
	goto st0;
st1074:
	if ( ++p == pe )
		goto _test_eof1074;
case 1074:
	if ( (*p) == 122 )
		goto st1075;
	goto st0;
st1075:
	if ( ++p == pe )
		goto _test_eof1075;
case 1075:
	if ( (*p) == 117 )
		goto st1076;
	goto st0;
st1076:
	if ( ++p == pe )
		goto _test_eof1076;
case 1076:
	if ( (*p) == 118 )
		goto st1077;
	goto st0;
st1077:
	if ( ++p == pe )
		goto _test_eof1077;
case 1077:
	if ( (*p) == 101 )
		goto st1078;
	goto st0;
st1078:
	if ( ++p == pe )
		goto _test_eof1078;
case 1078:
	if ( (*p) == 114 )
		goto tr1168;
	goto st0;
st1079:
	if ( ++p == pe )
		goto _test_eof1079;
case 1079:
	switch( (*p) ) {
		case 110: goto st1080;
		case 114: goto st1095;
		case 115: goto st1108;
		case 122: goto st1114;
	}
	goto st0;
st1080:
	if ( ++p == pe )
		goto _test_eof1080;
case 1080:
	if ( (*p) == 122 )
		goto st1081;
	goto st0;
st1081:
	if ( ++p == pe )
		goto _test_eof1081;
case 1081:
	if ( (*p) == 111 )
		goto st1082;
	goto st0;
st1082:
	if ( ++p == pe )
		goto _test_eof1082;
case 1082:
	if ( (*p) == 114 )
		goto st1083;
	goto st0;
st1083:
	if ( ++p == pe )
		goto _test_eof1083;
case 1083:
	if ( (*p) == 108 )
		goto st1084;
	goto st0;
st1084:
	if ( ++p == pe )
		goto _test_eof1084;
case 1084:
	if ( (*p) == 105 )
		goto st1085;
	goto st0;
st1085:
	if ( ++p == pe )
		goto _test_eof1085;
case 1085:
	if ( (*p) == 115 )
		goto st1086;
	goto st0;
st1086:
	if ( ++p == pe )
		goto _test_eof1086;
case 1086:
	if ( (*p) == 116 )
		goto st1087;
	goto st0;
st1087:
	if ( ++p == pe )
		goto _test_eof1087;
case 1087:
	if ( (*p) == 108 )
		goto st1088;
	goto st0;
st1088:
	if ( ++p == pe )
		goto _test_eof1088;
case 1088:
	if ( (*p) == 117 )
		goto st1089;
	goto st0;
st1089:
	if ( ++p == pe )
		goto _test_eof1089;
case 1089:
	if ( (*p) == 115 )
		goto st1090;
	goto st0;
st1090:
	if ( ++p == pe )
		goto _test_eof1090;
case 1090:
	if ( (*p) == 116 )
		goto st1091;
	goto st0;
st1091:
	if ( ++p == pe )
		goto _test_eof1091;
case 1091:
	if ( (*p) == 112 )
		goto st1092;
	goto st0;
st1092:
	if ( ++p == pe )
		goto _test_eof1092;
case 1092:
	if ( (*p) == 117 )
		goto st1093;
	goto st0;
st1093:
	if ( ++p == pe )
		goto _test_eof1093;
case 1093:
	if ( (*p) == 116 )
		goto st1094;
	goto st0;
st1094:
	if ( ++p == pe )
		goto _test_eof1094;
case 1094:
	if ( (*p) == 117 )
		goto tr1187;
	goto st0;
st1095:
	if ( ++p == pe )
		goto _test_eof1095;
case 1095:
	if ( (*p) == 114 )
		goto st1096;
	goto st0;
st1096:
	if ( ++p == pe )
		goto _test_eof1096;
case 1096:
	if ( (*p) == 111 )
		goto st1097;
	goto st0;
st1097:
	if ( ++p == pe )
		goto _test_eof1097;
case 1097:
	if ( (*p) == 114 )
		goto st1098;
	goto st0;
st1098:
	if ( ++p == pe )
		goto _test_eof1098;
case 1098:
	if ( (*p) == 109 )
		goto st1099;
	goto st0;
st1099:
	if ( ++p == pe )
		goto _test_eof1099;
case 1099:
	if ( (*p) == 117 )
		goto st1100;
	goto st0;
st1100:
	if ( ++p == pe )
		goto _test_eof1100;
case 1100:
	if ( (*p) == 110 )
		goto st1101;
	goto st0;
st1101:
	if ( ++p == pe )
		goto _test_eof1101;
case 1101:
	if ( (*p) == 115 )
		goto st1102;
	goto st0;
st1102:
	if ( ++p == pe )
		goto _test_eof1102;
case 1102:
	if ( (*p) == 111 )
		goto st1103;
	goto st0;
st1103:
	if ( ++p == pe )
		goto _test_eof1103;
case 1103:
	if ( (*p) == 114 )
		goto st1104;
	goto st0;
st1104:
	if ( ++p == pe )
		goto _test_eof1104;
case 1104:
	if ( (*p) == 107 )
		goto st1105;
	goto st0;
st1105:
	if ( ++p == pe )
		goto _test_eof1105;
case 1105:
	if ( (*p) == 117 )
		goto st1106;
	goto st0;
st1106:
	if ( ++p == pe )
		goto _test_eof1106;
case 1106:
	if ( (*p) == 122 )
		goto st1107;
	goto st0;
st1107:
	if ( ++p == pe )
		goto _test_eof1107;
case 1107:
	if ( (*p) == 97 )
		goto tr1200;
	goto st0;
st1108:
	if ( ++p == pe )
		goto _test_eof1108;
case 1108:
	if ( (*p) == 116 )
		goto st1109;
	goto st0;
st1109:
	if ( ++p == pe )
		goto _test_eof1109;
case 1109:
	if ( (*p) == 116 )
		goto st1110;
	goto st0;
st1110:
	if ( ++p == pe )
		goto _test_eof1110;
case 1110:
	if ( (*p) == 105 )
		goto st1111;
	goto st0;
st1111:
	if ( ++p == pe )
		goto _test_eof1111;
case 1111:
	if ( (*p) == 114 )
		goto st1112;
	goto st0;
st1112:
	if ( ++p == pe )
		goto _test_eof1112;
case 1112:
	if ( (*p) == 122 )
		goto st1113;
	goto st0;
st1113:
	if ( ++p == pe )
		goto _test_eof1113;
case 1113:
	if ( (*p) == 117 )
		goto tr1206;
	goto st0;
st1114:
	if ( ++p == pe )
		goto _test_eof1114;
case 1114:
	if ( (*p) == 105 )
		goto st1115;
	goto st0;
st1115:
	if ( ++p == pe )
		goto _test_eof1115;
case 1115:
	if ( (*p) == 110 )
		goto st1116;
	goto st0;
st1116:
	if ( ++p == pe )
		goto _test_eof1116;
case 1116:
	if ( (*p) == 109 )
		goto st1117;
	goto st0;
st1117:
	if ( ++p == pe )
		goto _test_eof1117;
case 1117:
	if ( (*p) == 105 )
		goto tr1210;
	goto st0;
st1118:
	if ( ++p == pe )
		goto _test_eof1118;
case 1118:
	switch( (*p) ) {
		case 103: goto st1119;
		case 110: goto st1134;
		case 114: goto st1147;
		case 118: goto st1149;
	}
	goto st0;
st1119:
	if ( ++p == pe )
		goto _test_eof1119;
case 1119:
	if ( (*p) == 111 )
		goto st1120;
	goto st0;
st1120:
	if ( ++p == pe )
		goto _test_eof1120;
case 1120:
	if ( (*p) == 115 )
		goto st1121;
	goto st0;
st1121:
	if ( ++p == pe )
		goto _test_eof1121;
case 1121:
	if ( (*p) == 116 )
		goto st1122;
	goto st0;
st1122:
	if ( ++p == pe )
		goto _test_eof1122;
case 1122:
	if ( (*p) == 112 )
		goto st1123;
	goto st0;
st1123:
	if ( ++p == pe )
		goto _test_eof1123;
case 1123:
	if ( (*p) == 111 )
		goto st1124;
	goto st0;
st1124:
	if ( ++p == pe )
		goto _test_eof1124;
case 1124:
	if ( (*p) == 114 )
		goto st1125;
	goto st0;
st1125:
	if ( ++p == pe )
		goto _test_eof1125;
case 1125:
	if ( (*p) == 115 )
		goto st1126;
	goto st0;
st1126:
	if ( ++p == pe )
		goto _test_eof1126;
case 1126:
	if ( (*p) == 101 )
		goto st1127;
	goto st0;
st1127:
	if ( ++p == pe )
		goto _test_eof1127;
case 1127:
	if ( (*p) == 114 )
		goto st1128;
	goto st0;
st1128:
	if ( ++p == pe )
		goto _test_eof1128;
case 1128:
	if ( (*p) == 107 )
		goto st1129;
	goto st0;
st1129:
	if ( ++p == pe )
		goto _test_eof1129;
case 1129:
	if ( (*p) == 101 )
		goto st1130;
	goto st0;
st1130:
	if ( ++p == pe )
		goto _test_eof1130;
case 1130:
	if ( (*p) == 110 )
		goto st1131;
	goto st0;
st1131:
	if ( ++p == pe )
		goto _test_eof1131;
case 1131:
	if ( (*p) == 116 )
		goto st1132;
	goto st0;
st1132:
	if ( ++p == pe )
		goto _test_eof1132;
case 1132:
	if ( (*p) == 97 )
		goto st1133;
	goto st0;
st1133:
	if ( ++p == pe )
		goto _test_eof1133;
case 1133:
	if ( (*p) == 114 )
		goto tr1229;
	goto st0;
st1134:
	if ( ++p == pe )
		goto _test_eof1134;
case 1134:
	if ( (*p) == 97 )
		goto st1135;
	goto st0;
st1135:
	if ( ++p == pe )
		goto _test_eof1135;
case 1135:
	if ( (*p) == 115 )
		goto st1136;
	goto st0;
st1136:
	if ( ++p == pe )
		goto _test_eof1136;
case 1136:
	if ( (*p) == 101 )
		goto st1137;
	goto st0;
st1137:
	if ( ++p == pe )
		goto _test_eof1137;
case 1137:
	if ( (*p) == 114 )
		goto st1138;
	goto st0;
st1138:
	if ( ++p == pe )
		goto _test_eof1138;
case 1138:
	if ( (*p) == 107 )
		goto st1139;
	goto st0;
st1139:
	if ( ++p == pe )
		goto _test_eof1139;
case 1139:
	if ( (*p) == 117 )
		goto st1140;
	goto st0;
st1140:
	if ( ++p == pe )
		goto _test_eof1140;
case 1140:
	if ( (*p) == 115 )
		goto st1141;
	goto st0;
st1141:
	if ( ++p == pe )
		goto _test_eof1141;
case 1141:
	if ( (*p) == 116 )
		goto st1142;
	goto st0;
st1142:
	if ( ++p == pe )
		goto _test_eof1142;
case 1142:
	if ( (*p) == 102 )
		goto st1143;
	goto st0;
st1143:
	if ( ++p == pe )
		goto _test_eof1143;
case 1143:
	if ( (*p) == 97 )
		goto st1144;
	goto st0;
st1144:
	if ( ++p == pe )
		goto _test_eof1144;
case 1144:
	if ( (*p) == 122 )
		goto st1145;
	goto st0;
st1145:
	if ( ++p == pe )
		goto _test_eof1145;
case 1145:
	if ( (*p) == 101 )
		goto st1146;
	goto st0;
st1146:
	if ( ++p == pe )
		goto _test_eof1146;
case 1146:
	if ( (*p) == 114 )
		goto tr1242;
	goto st0;
st1147:
	if ( ++p == pe )
		goto _test_eof1147;
case 1147:
	if ( (*p) == 107 )
		goto st1148;
	goto st0;
st1148:
	if ( ++p == pe )
		goto _test_eof1148;
case 1148:
	if ( (*p) == 97 )
		goto tr1244;
	goto st0;
st1149:
	if ( ++p == pe )
		goto _test_eof1149;
case 1149:
	if ( (*p) == 111 )
		goto st1150;
	goto st0;
st1150:
	if ( ++p == pe )
		goto _test_eof1150;
case 1150:
	if ( (*p) == 114 )
		goto st1151;
	goto st0;
st1151:
	if ( ++p == pe )
		goto _test_eof1151;
case 1151:
	if ( (*p) == 116 )
		goto st1152;
	goto st0;
st1152:
	if ( ++p == pe )
		goto _test_eof1152;
case 1152:
	if ( (*p) == 111 )
		goto st1153;
	goto st0;
st1153:
	if ( ++p == pe )
		goto _test_eof1153;
case 1153:
	if ( (*p) == 110 )
		goto st1154;
	goto st0;
st1154:
	if ( ++p == pe )
		goto _test_eof1154;
case 1154:
	if ( (*p) == 118 )
		goto st1155;
	goto st0;
st1155:
	if ( ++p == pe )
		goto _test_eof1155;
case 1155:
	if ( (*p) == 105 )
		goto st1156;
	goto st0;
st1156:
	if ( ++p == pe )
		goto _test_eof1156;
case 1156:
	if ( (*p) == 103 )
		goto st1157;
	goto st0;
st1157:
	if ( ++p == pe )
		goto _test_eof1157;
case 1157:
	if ( (*p) == 117 )
		goto st1158;
	goto st0;
st1158:
	if ( ++p == pe )
		goto _test_eof1158;
case 1158:
	if ( (*p) == 114 )
		goto tr1254;
	goto st0;
st1159:
	if ( ++p == pe )
		goto _test_eof1159;
case 1159:
	switch( (*p) ) {
		case 100: goto st1160;
		case 110: goto st1174;
		case 114: goto st1215;
	}
	goto st0;
st1160:
	if ( ++p == pe )
		goto _test_eof1160;
case 1160:
	if ( (*p) == 111 )
		goto st1161;
	goto st0;
st1161:
	if ( ++p == pe )
		goto _test_eof1161;
case 1161:
	if ( (*p) == 110 )
		goto st1162;
	goto st0;
st1162:
	if ( ++p == pe )
		goto _test_eof1162;
case 1162:
	if ( (*p) == 107 )
		goto st1163;
	goto st0;
st1163:
	if ( ++p == pe )
		goto _test_eof1163;
case 1163:
	if ( (*p) == 111 )
		goto st1164;
	goto st0;
st1164:
	if ( ++p == pe )
		goto _test_eof1164;
case 1164:
	if ( (*p) == 110 )
		goto st1165;
	goto st0;
st1165:
	if ( ++p == pe )
		goto _test_eof1165;
case 1165:
	if ( (*p) == 116 )
		goto st1166;
	goto st0;
st1166:
	if ( ++p == pe )
		goto _test_eof1166;
case 1166:
	if ( (*p) == 117 )
		goto st1167;
	goto st0;
st1167:
	if ( ++p == pe )
		goto _test_eof1167;
case 1167:
	if ( (*p) == 110 )
		goto st1168;
	goto st0;
st1168:
	if ( ++p == pe )
		goto _test_eof1168;
case 1168:
	if ( (*p) == 115 )
		goto st1169;
	goto st0;
st1169:
	if ( ++p == pe )
		goto _test_eof1169;
case 1169:
	if ( (*p) == 97 )
		goto st1170;
	goto st0;
st1170:
	if ( ++p == pe )
		goto _test_eof1170;
case 1170:
	if ( (*p) == 112 )
		goto st1171;
	goto st0;
st1171:
	if ( ++p == pe )
		goto _test_eof1171;
case 1171:
	if ( (*p) == 105 )
		goto st1172;
	goto st0;
st1172:
	if ( ++p == pe )
		goto _test_eof1172;
case 1172:
	if ( (*p) == 115 )
		goto st1173;
	goto st0;
st1173:
	if ( ++p == pe )
		goto _test_eof1173;
case 1173:
	if ( (*p) == 116 )
		goto tr1271;
	goto st0;
st1174:
	if ( ++p == pe )
		goto _test_eof1174;
case 1174:
	switch( (*p) ) {
		case 98: goto st1175;
		case 102: goto st1180;
		case 105: goto st1186;
		case 107: goto st1197;
	}
	goto st0;
st1175:
	if ( ++p == pe )
		goto _test_eof1175;
case 1175:
	if ( (*p) == 97 )
		goto st1176;
	goto st0;
st1176:
	if ( ++p == pe )
		goto _test_eof1176;
case 1176:
	if ( (*p) == 112 )
		goto st1177;
	goto st0;
st1177:
	if ( ++p == pe )
		goto _test_eof1177;
case 1177:
	if ( (*p) == 117 )
		goto st1178;
	goto st0;
st1178:
	if ( ++p == pe )
		goto _test_eof1178;
case 1178:
	if ( (*p) == 122 )
		goto st1179;
	goto st0;
st1179:
	if ( ++p == pe )
		goto _test_eof1179;
case 1179:
	if ( (*p) == 105 )
		goto tr1280;
	goto st0;
st1180:
	if ( ++p == pe )
		goto _test_eof1180;
case 1180:
	if ( (*p) == 101 )
		goto st1181;
	goto st0;
st1181:
	if ( ++p == pe )
		goto _test_eof1181;
case 1181:
	if ( (*p) == 114 )
		goto st1182;
	goto st0;
st1182:
	if ( ++p == pe )
		goto _test_eof1182;
case 1182:
	if ( (*p) == 100 )
		goto st1183;
	goto st0;
st1183:
	if ( ++p == pe )
		goto _test_eof1183;
case 1183:
	if ( (*p) == 101 )
		goto st1184;
	goto st0;
st1184:
	if ( ++p == pe )
		goto _test_eof1184;
case 1184:
	if ( (*p) == 115 )
		goto st1185;
	goto st0;
st1185:
	if ( ++p == pe )
		goto _test_eof1185;
case 1185:
	if ( (*p) == 117 )
		goto tr1286;
	goto st0;
st1186:
	if ( ++p == pe )
		goto _test_eof1186;
case 1186:
	if ( (*p) == 110 )
		goto st1187;
	goto st0;
st1187:
	if ( ++p == pe )
		goto _test_eof1187;
case 1187:
	if ( (*p) == 116 )
		goto st1188;
	goto st0;
st1188:
	if ( ++p == pe )
		goto _test_eof1188;
case 1188:
	if ( (*p) == 117 )
		goto st1189;
	goto st0;
st1189:
	if ( ++p == pe )
		goto _test_eof1189;
case 1189:
	if ( (*p) == 115 )
		goto st1190;
	goto st0;
st1190:
	if ( ++p == pe )
		goto _test_eof1190;
case 1190:
	if ( (*p) == 116 )
		goto st1191;
	goto st0;
st1191:
	if ( ++p == pe )
		goto _test_eof1191;
case 1191:
	if ( (*p) == 107 )
		goto st1192;
	goto st0;
st1192:
	if ( ++p == pe )
		goto _test_eof1192;
case 1192:
	if ( (*p) == 111 )
		goto st1193;
	goto st0;
st1193:
	if ( ++p == pe )
		goto _test_eof1193;
case 1193:
	if ( (*p) == 110 )
		goto st1194;
	goto st0;
st1194:
	if ( ++p == pe )
		goto _test_eof1194;
case 1194:
	if ( (*p) == 98 )
		goto st1195;
	goto st0;
st1195:
	if ( ++p == pe )
		goto _test_eof1195;
case 1195:
	if ( (*p) == 117 )
		goto st1196;
	goto st0;
st1196:
	if ( ++p == pe )
		goto _test_eof1196;
case 1196:
	if ( (*p) == 114 )
		goto tr1297;
	goto st0;
st1197:
	if ( ++p == pe )
		goto _test_eof1197;
case 1197:
	if ( (*p) == 117 )
		goto st1198;
	goto st0;
st1198:
	if ( ++p == pe )
		goto _test_eof1198;
case 1198:
	if ( (*p) == 100 )
		goto st1199;
	goto st0;
st1199:
	if ( ++p == pe )
		goto _test_eof1199;
case 1199:
	if ( (*p) == 101 )
		goto st1200;
	goto st0;
st1200:
	if ( ++p == pe )
		goto _test_eof1200;
case 1200:
	if ( (*p) == 114 )
		goto st1201;
	goto st0;
st1201:
	if ( ++p == pe )
		goto _test_eof1201;
case 1201:
	if ( (*p) == 103 )
		goto st1202;
	goto st0;
st1202:
	if ( ++p == pe )
		goto _test_eof1202;
case 1202:
	if ( (*p) == 117 )
		goto st1203;
	goto st0;
st1203:
	if ( ++p == pe )
		goto _test_eof1203;
case 1203:
	if ( (*p) == 109 )
		goto st1204;
	goto st0;
st1204:
	if ( ++p == pe )
		goto _test_eof1204;
case 1204:
	if ( (*p) == 117 )
		goto st1205;
	goto st0;
st1205:
	if ( ++p == pe )
		goto _test_eof1205;
case 1205:
	if ( (*p) == 110 )
		goto st1206;
	goto st0;
st1206:
	if ( ++p == pe )
		goto _test_eof1206;
case 1206:
	if ( (*p) == 115 )
		goto st1207;
	goto st0;
st1207:
	if ( ++p == pe )
		goto _test_eof1207;
case 1207:
	if ( (*p) == 101 )
		goto st1208;
	goto st0;
st1208:
	if ( ++p == pe )
		goto _test_eof1208;
case 1208:
	if ( (*p) == 114 )
		goto st1209;
	goto st0;
st1209:
	if ( ++p == pe )
		goto _test_eof1209;
case 1209:
	if ( (*p) == 109 )
		goto st1210;
	goto st0;
st1210:
	if ( ++p == pe )
		goto _test_eof1210;
case 1210:
	if ( (*p) == 105 )
		goto st1211;
	goto st0;
st1211:
	if ( ++p == pe )
		goto _test_eof1211;
case 1211:
	if ( (*p) == 115 )
		goto st1212;
	goto st0;
st1212:
	if ( ++p == pe )
		goto _test_eof1212;
case 1212:
	if ( (*p) == 116 )
		goto st1213;
	goto st0;
st1213:
	if ( ++p == pe )
		goto _test_eof1213;
case 1213:
	if ( (*p) == 110 )
		goto st1214;
	goto st0;
st1214:
	if ( ++p == pe )
		goto _test_eof1214;
case 1214:
	if ( (*p) == 111 )
		goto tr1315;
	goto st0;
st1215:
	if ( ++p == pe )
		goto _test_eof1215;
case 1215:
	if ( (*p) == 110 )
		goto st1216;
	goto st0;
st1216:
	if ( ++p == pe )
		goto _test_eof1216;
case 1216:
	if ( (*p) == 101 )
		goto st1217;
	goto st0;
st1217:
	if ( ++p == pe )
		goto _test_eof1217;
case 1217:
	if ( (*p) == 115 )
		goto st1218;
	goto st0;
st1218:
	if ( ++p == pe )
		goto _test_eof1218;
case 1218:
	if ( (*p) == 116 )
		goto st1219;
	goto st0;
st1219:
	if ( ++p == pe )
		goto _test_eof1219;
case 1219:
	if ( (*p) == 118 )
		goto st1220;
	goto st0;
st1220:
	if ( ++p == pe )
		goto _test_eof1220;
case 1220:
	if ( (*p) == 101 )
		goto st1221;
	goto st0;
st1221:
	if ( ++p == pe )
		goto _test_eof1221;
case 1221:
	if ( (*p) == 114 )
		goto st1222;
	goto st0;
st1222:
	if ( ++p == pe )
		goto _test_eof1222;
case 1222:
	if ( (*p) == 114 )
		goto st1223;
	goto st0;
st1223:
	if ( ++p == pe )
		goto _test_eof1223;
case 1223:
	if ( (*p) == 117 )
		goto st1224;
	goto st0;
st1224:
	if ( ++p == pe )
		goto _test_eof1224;
case 1224:
	if ( (*p) == 115 )
		goto st1225;
	goto st0;
st1225:
	if ( ++p == pe )
		goto _test_eof1225;
case 1225:
	if ( (*p) == 116 )
		goto st1226;
	goto st0;
st1226:
	if ( ++p == pe )
		goto _test_eof1226;
case 1226:
	if ( (*p) == 107 )
		goto st1227;
	goto st0;
st1227:
	if ( ++p == pe )
		goto _test_eof1227;
case 1227:
	if ( (*p) == 105 )
		goto st1228;
	goto st0;
st1228:
	if ( ++p == pe )
		goto _test_eof1228;
case 1228:
	if ( (*p) == 109 )
		goto st1229;
	goto st0;
st1229:
	if ( ++p == pe )
		goto _test_eof1229;
case 1229:
	if ( (*p) == 105 )
		goto st1230;
	goto st0;
st1230:
	if ( ++p == pe )
		goto _test_eof1230;
case 1230:
	if ( (*p) == 114 )
		goto tr1331;
	goto st0;
st1231:
	if ( ++p == pe )
		goto _test_eof1231;
case 1231:
	switch( (*p) ) {
		case 97: goto st1232;
		case 101: goto st1289;
		case 105: goto st1317;
		case 111: goto st1348;
		case 117: goto st1373;
	}
	goto st0;
st1232:
	if ( ++p == pe )
		goto _test_eof1232;
case 1232:
	switch( (*p) ) {
		case 114: goto st1233;
		case 116: goto st1270;
	}
	goto st0;
st1233:
	if ( ++p == pe )
		goto _test_eof1233;
case 1233:
	switch( (*p) ) {
		case 108: goto st1234;
		case 114: goto st1244;
		case 122: goto st1252;
	}
	goto st0;
st1234:
	if ( ++p == pe )
		goto _test_eof1234;
case 1234:
	if ( (*p) == 117 )
		goto st1235;
	goto st0;
st1235:
	if ( ++p == pe )
		goto _test_eof1235;
case 1235:
	if ( (*p) == 110 )
		goto st1236;
	goto st0;
st1236:
	if ( ++p == pe )
		goto _test_eof1236;
case 1236:
	if ( (*p) == 98 )
		goto st1237;
	goto st0;
st1237:
	if ( ++p == pe )
		goto _test_eof1237;
case 1237:
	if ( (*p) == 111 )
		goto st1238;
	goto st0;
st1238:
	if ( ++p == pe )
		goto _test_eof1238;
case 1238:
	if ( (*p) == 115 )
		goto st1239;
	goto st0;
st1239:
	if ( ++p == pe )
		goto _test_eof1239;
case 1239:
	if ( (*p) == 116 )
		goto st1240;
	goto st0;
st1240:
	if ( ++p == pe )
		goto _test_eof1240;
case 1240:
	if ( (*p) == 116 )
		goto st1241;
	goto st0;
st1241:
	if ( ++p == pe )
		goto _test_eof1241;
case 1241:
	if ( (*p) == 101 )
		goto st1242;
	goto st0;
st1242:
	if ( ++p == pe )
		goto _test_eof1242;
case 1242:
	if ( (*p) == 115 )
		goto st1243;
	goto st0;
st1243:
	if ( ++p == pe )
		goto _test_eof1243;
case 1243:
	if ( (*p) == 116 )
		goto tr1351;
	goto st0;
st1244:
	if ( ++p == pe )
		goto _test_eof1244;
case 1244:
	if ( (*p) == 97 )
		goto st1245;
	goto st0;
st1245:
	if ( ++p == pe )
		goto _test_eof1245;
case 1245:
	if ( (*p) == 108 )
		goto st1246;
	goto st0;
st1246:
	if ( ++p == pe )
		goto _test_eof1246;
case 1246:
	if ( (*p) == 117 )
		goto st1247;
	goto st0;
st1247:
	if ( ++p == pe )
		goto _test_eof1247;
case 1247:
	if ( (*p) == 110 )
		goto st1248;
	goto st0;
st1248:
	if ( ++p == pe )
		goto _test_eof1248;
case 1248:
	if ( (*p) == 100 )
		goto st1249;
	goto st0;
st1249:
	if ( ++p == pe )
		goto _test_eof1249;
case 1249:
	if ( (*p) == 97 )
		goto st1250;
	goto st0;
st1250:
	if ( ++p == pe )
		goto _test_eof1250;
case 1250:
	if ( (*p) == 110 )
		goto st1251;
	goto st0;
st1251:
	if ( ++p == pe )
		goto _test_eof1251;
case 1251:
	if ( (*p) == 117 )
		goto tr1359;
	goto st0;
st1252:
	if ( ++p == pe )
		goto _test_eof1252;
case 1252:
	if ( (*p) == 111 )
		goto st1253;
	goto st0;
st1253:
	if ( ++p == pe )
		goto _test_eof1253;
case 1253:
	if ( (*p) == 114 )
		goto st1254;
	goto st0;
st1254:
	if ( ++p == pe )
		goto _test_eof1254;
case 1254:
	if ( (*p) == 112 )
		goto st1255;
	goto st0;
st1255:
	if ( ++p == pe )
		goto _test_eof1255;
case 1255:
	if ( (*p) == 117 )
		goto st1256;
	goto st0;
st1256:
	if ( ++p == pe )
		goto _test_eof1256;
case 1256:
	if ( (*p) == 114 )
		goto st1257;
	goto st0;
st1257:
	if ( ++p == pe )
		goto _test_eof1257;
case 1257:
	if ( (*p) == 105 )
		goto st1258;
	goto st0;
st1258:
	if ( ++p == pe )
		goto _test_eof1258;
case 1258:
	if ( (*p) == 114 )
		goto st1259;
	goto st0;
st1259:
	if ( ++p == pe )
		goto _test_eof1259;
case 1259:
	if ( (*p) == 110 )
		goto st1260;
	goto st0;
st1260:
	if ( ++p == pe )
		goto _test_eof1260;
case 1260:
	if ( (*p) == 97 )
		goto st1261;
	goto st0;
st1261:
	if ( ++p == pe )
		goto _test_eof1261;
case 1261:
	if ( (*p) == 100 )
		goto st1262;
	goto st0;
st1262:
	if ( ++p == pe )
		goto _test_eof1262;
case 1262:
	if ( (*p) == 97 )
		goto st1263;
	goto st0;
st1263:
	if ( ++p == pe )
		goto _test_eof1263;
case 1263:
	if ( (*p) == 115 )
		goto st1264;
	goto st0;
st1264:
	if ( ++p == pe )
		goto _test_eof1264;
case 1264:
	if ( (*p) == 116 )
		goto st1265;
	goto st0;
st1265:
	if ( ++p == pe )
		goto _test_eof1265;
case 1265:
	if ( (*p) == 116 )
		goto st1266;
	goto st0;
st1266:
	if ( ++p == pe )
		goto _test_eof1266;
case 1266:
	if ( (*p) == 105 )
		goto st1267;
	goto st0;
st1267:
	if ( ++p == pe )
		goto _test_eof1267;
case 1267:
	if ( (*p) == 118 )
		goto st1268;
	goto st0;
st1268:
	if ( ++p == pe )
		goto _test_eof1268;
case 1268:
	if ( (*p) == 105 )
		goto st1269;
	goto st0;
st1269:
	if ( ++p == pe )
		goto _test_eof1269;
case 1269:
	if ( (*p) == 114 )
		goto tr1377;
	goto st0;
st1270:
	if ( ++p == pe )
		goto _test_eof1270;
case 1270:
	if ( (*p) == 101 )
		goto st1271;
	goto st0;
st1271:
	if ( ++p == pe )
		goto _test_eof1271;
case 1271:
	if ( (*p) == 98 )
		goto st1272;
	goto st0;
st1272:
	if ( ++p == pe )
		goto _test_eof1272;
case 1272:
	if ( (*p) == 111 )
		goto st1273;
	goto st0;
st1273:
	if ( ++p == pe )
		goto _test_eof1273;
case 1273:
	if ( (*p) == 115 )
		goto st1274;
	goto st0;
st1274:
	if ( ++p == pe )
		goto _test_eof1274;
case 1274:
	if ( (*p) == 116 )
		goto st1275;
	goto st0;
st1275:
	if ( ++p == pe )
		goto _test_eof1275;
case 1275:
	if ( (*p) == 112 )
		goto st1276;
	goto st0;
st1276:
	if ( ++p == pe )
		goto _test_eof1276;
case 1276:
	if ( (*p) == 101 )
		goto st1277;
	goto st0;
st1277:
	if ( ++p == pe )
		goto _test_eof1277;
case 1277:
	if ( (*p) == 115 )
		goto st1278;
	goto st0;
st1278:
	if ( ++p == pe )
		goto _test_eof1278;
case 1278:
	if ( (*p) == 116 )
		goto st1279;
	goto st0;
st1279:
	if ( ++p == pe )
		goto _test_eof1279;
case 1279:
	if ( (*p) == 116 )
		goto st1280;
	goto st0;
st1280:
	if ( ++p == pe )
		goto _test_eof1280;
case 1280:
	if ( (*p) == 117 )
		goto st1281;
	goto st0;
st1281:
	if ( ++p == pe )
		goto _test_eof1281;
case 1281:
	if ( (*p) == 115 )
		goto st1282;
	goto st0;
st1282:
	if ( ++p == pe )
		goto _test_eof1282;
case 1282:
	if ( (*p) == 116 )
		goto st1283;
	goto st0;
st1283:
	if ( ++p == pe )
		goto _test_eof1283;
case 1283:
	if ( (*p) == 118 )
		goto st1284;
	goto st0;
st1284:
	if ( ++p == pe )
		goto _test_eof1284;
case 1284:
	if ( (*p) == 111 )
		goto st1285;
	goto st0;
st1285:
	if ( ++p == pe )
		goto _test_eof1285;
case 1285:
	if ( (*p) == 114 )
		goto st1286;
	goto st0;
st1286:
	if ( ++p == pe )
		goto _test_eof1286;
case 1286:
	if ( (*p) == 112 )
		goto st1287;
	goto st0;
st1287:
	if ( ++p == pe )
		goto _test_eof1287;
case 1287:
	if ( (*p) == 105 )
		goto st1288;
	goto st0;
st1288:
	if ( ++p == pe )
		goto _test_eof1288;
case 1288:
	if ( (*p) == 114 )
		goto tr1396;
	goto st0;
st1289:
	if ( ++p == pe )
		goto _test_eof1289;
case 1289:
	switch( (*p) ) {
		case 98: goto st1290;
		case 114: goto st1298;
	}
	goto st0;
st1290:
	if ( ++p == pe )
		goto _test_eof1290;
case 1290:
	if ( (*p) == 111 )
		goto st1291;
	goto st0;
st1291:
	if ( ++p == pe )
		goto _test_eof1291;
case 1291:
	if ( (*p) == 114 )
		goto st1292;
	goto st0;
st1292:
	if ( ++p == pe )
		goto _test_eof1292;
case 1292:
	if ( (*p) == 103 )
		goto st1293;
	goto st0;
st1293:
	if ( ++p == pe )
		goto _test_eof1293;
case 1293:
	if ( (*p) == 105 )
		goto st1294;
	goto st0;
st1294:
	if ( ++p == pe )
		goto _test_eof1294;
case 1294:
	if ( (*p) == 114 )
		goto st1295;
	goto st0;
st1295:
	if ( ++p == pe )
		goto _test_eof1295;
case 1295:
	if ( (*p) == 114 )
		goto st1296;
	goto st0;
st1296:
	if ( ++p == pe )
		goto _test_eof1296;
case 1296:
	if ( (*p) == 117 )
		goto st1297;
	goto st0;
st1297:
	if ( ++p == pe )
		goto _test_eof1297;
case 1297:
	if ( (*p) == 110 )
		goto tr1406;
	goto st0;
st1298:
	if ( ++p == pe )
		goto _test_eof1298;
case 1298:
	if ( (*p) == 115 )
		goto st1299;
	goto st0;
st1299:
	if ( ++p == pe )
		goto _test_eof1299;
case 1299:
	if ( (*p) == 111 )
		goto st1300;
	goto st0;
st1300:
	if ( ++p == pe )
		goto _test_eof1300;
case 1300:
	if ( (*p) == 114 )
		goto st1301;
	goto st0;
st1301:
	if ( ++p == pe )
		goto _test_eof1301;
case 1301:
	if ( (*p) == 110 )
		goto st1302;
	goto st0;
st1302:
	if ( ++p == pe )
		goto _test_eof1302;
case 1302:
	if ( (*p) == 97 )
		goto st1303;
	goto st0;
st1303:
	if ( ++p == pe )
		goto _test_eof1303;
case 1303:
	if ( (*p) == 110 )
		goto st1304;
	goto st0;
st1304:
	if ( ++p == pe )
		goto _test_eof1304;
case 1304:
	if ( (*p) == 116 )
		goto st1305;
	goto st0;
st1305:
	if ( ++p == pe )
		goto _test_eof1305;
case 1305:
	if ( (*p) == 111 )
		goto st1306;
	goto st0;
st1306:
	if ( ++p == pe )
		goto _test_eof1306;
case 1306:
	if ( (*p) == 112 )
		goto st1307;
	goto st0;
st1307:
	if ( ++p == pe )
		goto _test_eof1307;
case 1307:
	if ( (*p) == 105 )
		goto st1308;
	goto st0;
st1308:
	if ( ++p == pe )
		goto _test_eof1308;
case 1308:
	if ( (*p) == 115 )
		goto st1309;
	goto st0;
st1309:
	if ( ++p == pe )
		goto _test_eof1309;
case 1309:
	if ( (*p) == 116 )
		goto st1310;
	goto st0;
st1310:
	if ( ++p == pe )
		goto _test_eof1310;
case 1310:
	if ( (*p) == 100 )
		goto st1311;
	goto st0;
st1311:
	if ( ++p == pe )
		goto _test_eof1311;
case 1311:
	if ( (*p) == 117 )
		goto st1312;
	goto st0;
st1312:
	if ( ++p == pe )
		goto _test_eof1312;
case 1312:
	if ( (*p) == 115 )
		goto st1313;
	goto st0;
st1313:
	if ( ++p == pe )
		goto _test_eof1313;
case 1313:
	if ( (*p) == 116 )
		goto st1314;
	goto st0;
st1314:
	if ( ++p == pe )
		goto _test_eof1314;
case 1314:
	if ( (*p) == 98 )
		goto st1315;
	goto st0;
st1315:
	if ( ++p == pe )
		goto _test_eof1315;
case 1315:
	if ( (*p) == 105 )
		goto st1316;
	goto st0;
st1316:
	if ( ++p == pe )
		goto _test_eof1316;
case 1316:
	if ( (*p) == 114 )
		goto tr1425;
	goto st0;
st1317:
	if ( ++p == pe )
		goto _test_eof1317;
case 1317:
	switch( (*p) ) {
		case 110: goto st1318;
		case 112: goto st1323;
		case 114: goto st1328;
		case 115: goto st1338;
	}
	goto st0;
st1318:
	if ( ++p == pe )
		goto _test_eof1318;
case 1318:
	if ( (*p) == 100 )
		goto st1319;
	goto st0;
st1319:
	if ( ++p == pe )
		goto _test_eof1319;
case 1319:
	if ( (*p) == 117 )
		goto st1320;
	goto st0;
st1320:
	if ( ++p == pe )
		goto _test_eof1320;
case 1320:
	if ( (*p) == 110 )
		goto st1321;
	goto st0;
st1321:
	if ( ++p == pe )
		goto _test_eof1321;
case 1321:
	if ( (*p) == 112 )
		goto st1322;
	goto st0;
st1322:
	if ( ++p == pe )
		goto _test_eof1322;
case 1322:
	if ( (*p) == 111 )
		goto tr1434;
	goto st0;
st1323:
	if ( ++p == pe )
		goto _test_eof1323;
case 1323:
	if ( (*p) == 117 )
		goto st1324;
	goto st0;
st1324:
	if ( ++p == pe )
		goto _test_eof1324;
case 1324:
	if ( (*p) == 114 )
		goto st1325;
	goto st0;
st1325:
	if ( ++p == pe )
		goto _test_eof1325;
case 1325:
	if ( (*p) == 115 )
		goto st1326;
	goto st0;
st1326:
	if ( ++p == pe )
		goto _test_eof1326;
case 1326:
	if ( (*p) == 97 )
		goto st1327;
	goto st0;
st1327:
	if ( ++p == pe )
		goto _test_eof1327;
case 1327:
	if ( (*p) == 110 )
		goto tr1439;
	goto st0;
st1328:
	if ( ++p == pe )
		goto _test_eof1328;
case 1328:
	if ( (*p) == 109 )
		goto st1329;
	goto st0;
st1329:
	if ( ++p == pe )
		goto _test_eof1329;
case 1329:
	if ( (*p) == 97 )
		goto st1330;
	goto st0;
st1330:
	if ( ++p == pe )
		goto _test_eof1330;
case 1330:
	if ( (*p) == 122 )
		goto st1331;
	goto st0;
st1331:
	if ( ++p == pe )
		goto _test_eof1331;
case 1331:
	if ( (*p) == 111 )
		goto st1332;
	goto st0;
st1332:
	if ( ++p == pe )
		goto _test_eof1332;
case 1332:
	if ( (*p) == 110 )
		goto st1333;
	goto st0;
st1333:
	if ( ++p == pe )
		goto _test_eof1333;
case 1333:
	if ( (*p) == 101 )
		goto st1334;
	goto st0;
st1334:
	if ( ++p == pe )
		goto _test_eof1334;
case 1334:
	if ( (*p) == 114 )
		goto st1335;
	goto st0;
st1335:
	if ( ++p == pe )
		goto _test_eof1335;
case 1335:
	if ( (*p) == 108 )
		goto st1336;
	goto st0;
st1336:
	if ( ++p == pe )
		goto _test_eof1336;
case 1336:
	if ( (*p) == 111 )
		goto st1337;
	goto st0;
st1337:
	if ( ++p == pe )
		goto _test_eof1337;
case 1337:
	if ( (*p) == 114 )
		goto tr1449;
	goto st0;
st1338:
	if ( ++p == pe )
		goto _test_eof1338;
case 1338:
	if ( (*p) == 116 )
		goto st1339;
	goto st0;
st1339:
	if ( ++p == pe )
		goto _test_eof1339;
case 1339:
	if ( (*p) == 115 )
		goto st1340;
	goto st0;
st1340:
	if ( ++p == pe )
		goto _test_eof1340;
case 1340:
	if ( (*p) == 111 )
		goto st1341;
	goto st0;
st1341:
	if ( ++p == pe )
		goto _test_eof1341;
case 1341:
	if ( (*p) == 110 )
		goto st1342;
	goto st0;
st1342:
	if ( ++p == pe )
		goto _test_eof1342;
case 1342:
	if ( (*p) == 114 )
		goto st1343;
	goto st0;
st1343:
	if ( ++p == pe )
		goto _test_eof1343;
case 1343:
	if ( (*p) == 97 )
		goto st1344;
	goto st0;
st1344:
	if ( ++p == pe )
		goto _test_eof1344;
case 1344:
	if ( (*p) == 110 )
		goto st1345;
	goto st0;
st1345:
	if ( ++p == pe )
		goto _test_eof1345;
case 1345:
	if ( (*p) == 103 )
		goto st1346;
	goto st0;
st1346:
	if ( ++p == pe )
		goto _test_eof1346;
case 1346:
	if ( (*p) == 101 )
		goto st1347;
	goto st0;
st1347:
	if ( ++p == pe )
		goto _test_eof1347;
case 1347:
	if ( (*p) == 110 )
		goto tr1459;
	goto st0;
st1348:
	if ( ++p == pe )
		goto _test_eof1348;
case 1348:
	switch( (*p) ) {
		case 110: goto st1349;
		case 114: goto st1355;
		case 118: goto st1362;
	}
	goto st0;
st1349:
	if ( ++p == pe )
		goto _test_eof1349;
case 1349:
	if ( (*p) == 118 )
		goto st1350;
	goto st0;
st1350:
	if ( ++p == pe )
		goto _test_eof1350;
case 1350:
	if ( (*p) == 101 )
		goto st1351;
	goto st0;
st1351:
	if ( ++p == pe )
		goto _test_eof1351;
case 1351:
	if ( (*p) == 110 )
		goto st1352;
	goto st0;
st1352:
	if ( ++p == pe )
		goto _test_eof1352;
case 1352:
	if ( (*p) == 108 )
		goto st1353;
	goto st0;
st1353:
	if ( ++p == pe )
		goto _test_eof1353;
case 1353:
	if ( (*p) == 111 )
		goto st1354;
	goto st0;
st1354:
	if ( ++p == pe )
		goto _test_eof1354;
case 1354:
	if ( (*p) == 114 )
		goto tr1468;
	goto st0;
st1355:
	if ( ++p == pe )
		goto _test_eof1355;
case 1355:
	if ( (*p) == 111 )
		goto st1356;
	goto st0;
st1356:
	if ( ++p == pe )
		goto _test_eof1356;
case 1356:
	if ( (*p) == 110 )
		goto st1357;
	goto st0;
st1357:
	if ( ++p == pe )
		goto _test_eof1357;
case 1357:
	if ( (*p) == 109 )
		goto st1358;
	goto st0;
st1358:
	if ( ++p == pe )
		goto _test_eof1358;
case 1358:
	if ( (*p) == 105 )
		goto st1359;
	goto st0;
st1359:
	if ( ++p == pe )
		goto _test_eof1359;
case 1359:
	if ( (*p) == 103 )
		goto st1360;
	goto st0;
st1360:
	if ( ++p == pe )
		goto _test_eof1360;
case 1360:
	if ( (*p) == 117 )
		goto st1361;
	goto st0;
st1361:
	if ( ++p == pe )
		goto _test_eof1361;
case 1361:
	if ( (*p) == 110 )
		goto tr1475;
	goto st0;
st1362:
	if ( ++p == pe )
		goto _test_eof1362;
case 1362:
	if ( (*p) == 97 )
		goto st1363;
	goto st0;
st1363:
	if ( ++p == pe )
		goto _test_eof1363;
case 1363:
	if ( (*p) == 114 )
		goto st1364;
	goto st0;
st1364:
	if ( ++p == pe )
		goto _test_eof1364;
case 1364:
	if ( (*p) == 122 )
		goto st1365;
	goto st0;
st1365:
	if ( ++p == pe )
		goto _test_eof1365;
case 1365:
	if ( (*p) == 105 )
		goto st1366;
	goto st0;
st1366:
	if ( ++p == pe )
		goto _test_eof1366;
case 1366:
	if ( (*p) == 114 )
		goto st1367;
	goto st0;
st1367:
	if ( ++p == pe )
		goto _test_eof1367;
case 1367:
	if ( (*p) == 107 )
		goto st1368;
	goto st0;
st1368:
	if ( ++p == pe )
		goto _test_eof1368;
case 1368:
	if ( (*p) == 117 )
		goto st1369;
	goto st0;
st1369:
	if ( ++p == pe )
		goto _test_eof1369;
case 1369:
	if ( (*p) == 110 )
		goto st1370;
	goto st0;
st1370:
	if ( ++p == pe )
		goto _test_eof1370;
case 1370:
	if ( (*p) == 110 )
		goto st1371;
	goto st0;
st1371:
	if ( ++p == pe )
		goto _test_eof1371;
case 1371:
	if ( (*p) == 117 )
		goto st1372;
	goto st0;
st1372:
	if ( ++p == pe )
		goto _test_eof1372;
case 1372:
	if ( (*p) == 110 )
		goto tr1486;
	goto st0;
st1373:
	if ( ++p == pe )
		goto _test_eof1373;
case 1373:
	if ( (*p) == 110 )
		goto st1374;
	goto st0;
st1374:
	if ( ++p == pe )
		goto _test_eof1374;
case 1374:
	switch( (*p) ) {
		case 98: goto st1375;
		case 116: goto st1391;
	}
	goto st0;
st1375:
	if ( ++p == pe )
		goto _test_eof1375;
case 1375:
	if ( (*p) == 97 )
		goto st1376;
	goto st0;
st1376:
	if ( ++p == pe )
		goto _test_eof1376;
case 1376:
	if ( (*p) == 114 )
		goto st1377;
	goto st0;
st1377:
	if ( ++p == pe )
		goto _test_eof1377;
case 1377:
	if ( (*p) == 116 )
		goto st1378;
	goto st0;
st1378:
	if ( ++p == pe )
		goto _test_eof1378;
case 1378:
	if ( (*p) == 101 )
		goto st1379;
	goto st0;
st1379:
	if ( ++p == pe )
		goto _test_eof1379;
case 1379:
	if ( (*p) == 114 )
		goto st1380;
	goto st0;
st1380:
	if ( ++p == pe )
		goto _test_eof1380;
case 1380:
	if ( (*p) == 109 )
		goto st1381;
	goto st0;
st1381:
	if ( ++p == pe )
		goto _test_eof1381;
case 1381:
	if ( (*p) == 97 )
		goto st1382;
	goto st0;
st1382:
	if ( ++p == pe )
		goto _test_eof1382;
case 1382:
	if ( (*p) == 114 )
		goto st1383;
	goto st0;
st1383:
	if ( ++p == pe )
		goto _test_eof1383;
case 1383:
	if ( (*p) == 122 )
		goto st1384;
	goto st0;
st1384:
	if ( ++p == pe )
		goto _test_eof1384;
case 1384:
	if ( (*p) == 117 )
		goto st1385;
	goto st0;
st1385:
	if ( ++p == pe )
		goto _test_eof1385;
case 1385:
	if ( (*p) == 107 )
		goto st1386;
	goto st0;
st1386:
	if ( ++p == pe )
		goto _test_eof1386;
case 1386:
	if ( (*p) == 105 )
		goto st1387;
	goto st0;
st1387:
	if ( ++p == pe )
		goto _test_eof1387;
case 1387:
	if ( (*p) == 115 )
		goto st1388;
	goto st0;
st1388:
	if ( ++p == pe )
		goto _test_eof1388;
case 1388:
	if ( (*p) == 111 )
		goto st1389;
	goto st0;
st1389:
	if ( ++p == pe )
		goto _test_eof1389;
case 1389:
	if ( (*p) == 115 )
		goto st1390;
	goto st0;
st1390:
	if ( ++p == pe )
		goto _test_eof1390;
case 1390:
	if ( (*p) == 116 )
		goto tr1505;
	goto st0;
st1391:
	if ( ++p == pe )
		goto _test_eof1391;
case 1391:
	if ( (*p) == 117 )
		goto st1392;
	goto st0;
st1392:
	if ( ++p == pe )
		goto _test_eof1392;
case 1392:
	if ( (*p) == 114 )
		goto st1393;
	goto st0;
st1393:
	if ( ++p == pe )
		goto _test_eof1393;
case 1393:
	if ( (*p) == 118 )
		goto st1394;
	goto st0;
st1394:
	if ( ++p == pe )
		goto _test_eof1394;
case 1394:
	if ( (*p) == 105 )
		goto st1395;
	goto st0;
st1395:
	if ( ++p == pe )
		goto _test_eof1395;
case 1395:
	if ( (*p) == 114 )
		goto st1396;
	goto st0;
st1396:
	if ( ++p == pe )
		goto _test_eof1396;
case 1396:
	if ( (*p) == 114 )
		goto st1397;
	goto st0;
st1397:
	if ( ++p == pe )
		goto _test_eof1397;
case 1397:
	if ( (*p) == 117 )
		goto st1398;
	goto st0;
st1398:
	if ( ++p == pe )
		goto _test_eof1398;
case 1398:
	if ( (*p) == 115 )
		goto st1399;
	goto st0;
st1399:
	if ( ++p == pe )
		goto _test_eof1399;
case 1399:
	if ( (*p) == 116 )
		goto st1400;
	goto st0;
st1400:
	if ( ++p == pe )
		goto _test_eof1400;
case 1400:
	if ( (*p) == 103 )
		goto st1401;
	goto st0;
st1401:
	if ( ++p == pe )
		goto _test_eof1401;
case 1401:
	if ( (*p) == 117 )
		goto tr1516;
	goto st0;
st1402:
	if ( ++p == pe )
		goto _test_eof1402;
case 1402:
	switch( (*p) ) {
		case 97: goto st1403;
		case 101: goto st1486;
		case 105: goto st1568;
		case 111: goto st1626;
		case 117: goto st1640;
	}
	goto st0;
st1403:
	if ( ++p == pe )
		goto _test_eof1403;
case 1403:
	switch( (*p) ) {
		case 102: goto st1404;
		case 110: goto st1424;
		case 114: goto st1442;
		case 115: goto st1455;
	}
	goto st0;
st1404:
	if ( ++p == pe )
		goto _test_eof1404;
case 1404:
	if ( (*p) == 105 )
		goto st1405;
	goto st0;
st1405:
	if ( ++p == pe )
		goto _test_eof1405;
case 1405:
	switch( (*p) ) {
		case 110: goto st1406;
		case 115: goto st1417;
	}
	goto st0;
st1406:
	if ( ++p == pe )
		goto _test_eof1406;
case 1406:
	if ( (*p) == 122 )
		goto st1407;
	goto st0;
st1407:
	if ( ++p == pe )
		goto _test_eof1407;
case 1407:
	if ( (*p) == 117 )
		goto st1408;
	goto st0;
st1408:
	if ( ++p == pe )
		goto _test_eof1408;
case 1408:
	if ( (*p) == 110 )
		goto st1409;
	goto st0;
st1409:
	if ( ++p == pe )
		goto _test_eof1409;
case 1409:
	if ( (*p) == 116 )
		goto st1410;
	goto st0;
st1410:
	if ( ++p == pe )
		goto _test_eof1410;
case 1410:
	if ( (*p) == 117 )
		goto st1411;
	goto st0;
st1411:
	if ( ++p == pe )
		goto _test_eof1411;
case 1411:
	if ( (*p) == 110 )
		goto st1412;
	goto st0;
st1412:
	if ( ++p == pe )
		goto _test_eof1412;
case 1412:
	if ( (*p) == 110 )
		goto st1413;
	goto st0;
st1413:
	if ( ++p == pe )
		goto _test_eof1413;
case 1413:
	if ( (*p) == 111 )
		goto st1414;
	goto st0;
st1414:
	if ( ++p == pe )
		goto _test_eof1414;
case 1414:
	if ( (*p) == 116 )
		goto st1415;
	goto st0;
st1415:
	if ( ++p == pe )
		goto _test_eof1415;
case 1415:
	if ( (*p) == 105 )
		goto st1416;
	goto st0;
st1416:
	if ( ++p == pe )
		goto _test_eof1416;
case 1416:
	if ( (*p) == 114 )
		goto tr1539;
	goto st0;
st1417:
	if ( ++p == pe )
		goto _test_eof1417;
case 1417:
	if ( (*p) == 116 )
		goto st1418;
	goto st0;
st1418:
	if ( ++p == pe )
		goto _test_eof1418;
case 1418:
	if ( (*p) == 110 )
		goto st1419;
	goto st0;
st1419:
	if ( ++p == pe )
		goto _test_eof1419;
case 1419:
	if ( (*p) == 117 )
		goto st1420;
	goto st0;
st1420:
	if ( ++p == pe )
		goto _test_eof1420;
case 1420:
	if ( (*p) == 114 )
		goto st1421;
	goto st0;
st1421:
	if ( ++p == pe )
		goto _test_eof1421;
case 1421:
	if ( (*p) == 100 )
		goto st1422;
	goto st0;
st1422:
	if ( ++p == pe )
		goto _test_eof1422;
case 1422:
	if ( (*p) == 97 )
		goto st1423;
	goto st0;
st1423:
	if ( ++p == pe )
		goto _test_eof1423;
case 1423:
	if ( (*p) == 110 )
		goto tr1546;
	goto st0;
st1424:
	if ( ++p == pe )
		goto _test_eof1424;
case 1424:
	if ( (*p) == 100 )
		goto st1425;
	goto st0;
st1425:
	if ( ++p == pe )
		goto _test_eof1425;
case 1425:
	if ( (*p) == 111 )
		goto st1426;
	goto st0;
st1426:
	if ( ++p == pe )
		goto _test_eof1426;
case 1426:
	if ( (*p) == 115 )
		goto st1427;
	goto st0;
st1427:
	if ( ++p == pe )
		goto _test_eof1427;
case 1427:
	if ( (*p) == 116 )
		goto st1428;
	goto st0;
st1428:
	if ( ++p == pe )
		goto _test_eof1428;
case 1428:
	if ( (*p) == 107 )
		goto st1429;
	goto st0;
st1429:
	if ( ++p == pe )
		goto _test_eof1429;
case 1429:
	if ( (*p) == 117 )
		goto st1430;
	goto st0;
st1430:
	if ( ++p == pe )
		goto _test_eof1430;
case 1430:
	if ( (*p) == 122 )
		goto st1431;
	goto st0;
st1431:
	if ( ++p == pe )
		goto _test_eof1431;
case 1431:
	if ( (*p) == 105 )
		goto st1432;
	goto st0;
st1432:
	if ( ++p == pe )
		goto _test_eof1432;
case 1432:
	if ( (*p) == 116 )
		goto st1433;
	goto st0;
st1433:
	if ( ++p == pe )
		goto _test_eof1433;
case 1433:
	if ( (*p) == 117 )
		goto st1434;
	goto st0;
st1434:
	if ( ++p == pe )
		goto _test_eof1434;
case 1434:
	if ( (*p) == 114 )
		goto st1435;
	goto st0;
st1435:
	if ( ++p == pe )
		goto _test_eof1435;
case 1435:
	if ( (*p) == 103 )
		goto st1436;
	goto st0;
st1436:
	if ( ++p == pe )
		goto _test_eof1436;
case 1436:
	if ( (*p) == 105 )
		goto st1437;
	goto st0;
st1437:
	if ( ++p == pe )
		goto _test_eof1437;
case 1437:
	if ( (*p) == 107 )
		goto st1438;
	goto st0;
st1438:
	if ( ++p == pe )
		goto _test_eof1438;
case 1438:
	if ( (*p) == 117 )
		goto st1439;
	goto st0;
st1439:
	if ( ++p == pe )
		goto _test_eof1439;
case 1439:
	if ( (*p) == 115 )
		goto st1440;
	goto st0;
st1440:
	if ( ++p == pe )
		goto _test_eof1440;
case 1440:
	if ( (*p) == 105 )
		goto st1441;
	goto st0;
st1441:
	if ( ++p == pe )
		goto _test_eof1441;
case 1441:
	if ( (*p) == 110 )
		goto tr1564;
	goto st0;
st1442:
	if ( ++p == pe )
		goto _test_eof1442;
case 1442:
	if ( (*p) == 116 )
		goto st1443;
	goto st0;
st1443:
	if ( ++p == pe )
		goto _test_eof1443;
case 1443:
	if ( (*p) == 101 )
		goto st1444;
	goto st0;
st1444:
	if ( ++p == pe )
		goto _test_eof1444;
case 1444:
	if ( (*p) == 115 )
		goto st1445;
	goto st0;
st1445:
	if ( ++p == pe )
		goto _test_eof1445;
case 1445:
	if ( (*p) == 116 )
		goto st1446;
	goto st0;
st1446:
	if ( ++p == pe )
		goto _test_eof1446;
case 1446:
	if ( (*p) == 115 )
		goto st1447;
	goto st0;
st1447:
	if ( ++p == pe )
		goto _test_eof1447;
case 1447:
	if ( (*p) == 105 )
		goto st1448;
	goto st0;
st1448:
	if ( ++p == pe )
		goto _test_eof1448;
case 1448:
	if ( (*p) == 115 )
		goto st1449;
	goto st0;
st1449:
	if ( ++p == pe )
		goto _test_eof1449;
case 1449:
	if ( (*p) == 101 )
		goto st1450;
	goto st0;
st1450:
	if ( ++p == pe )
		goto _test_eof1450;
case 1450:
	if ( (*p) == 114 )
		goto st1451;
	goto st0;
st1451:
	if ( ++p == pe )
		goto _test_eof1451;
case 1451:
	if ( (*p) == 103 )
		goto st1452;
	goto st0;
st1452:
	if ( ++p == pe )
		goto _test_eof1452;
case 1452:
	if ( (*p) == 105 )
		goto st1453;
	goto st0;
st1453:
	if ( ++p == pe )
		goto _test_eof1453;
case 1453:
	if ( (*p) == 115 )
		goto st1454;
	goto st0;
st1454:
	if ( ++p == pe )
		goto _test_eof1454;
case 1454:
	if ( (*p) == 116 )
		goto tr1577;
	goto st0;
st1455:
	if ( ++p == pe )
		goto _test_eof1455;
case 1455:
	if ( (*p) == 116 )
		goto st1456;
	goto st0;
st1456:
	if ( ++p == pe )
		goto _test_eof1456;
case 1456:
	switch( (*p) ) {
		case 98: goto st1457;
		case 114: goto st1458;
		case 116: goto st1467;
	}
	goto st0;
st1457:
	if ( ++p == pe )
		goto _test_eof1457;
case 1457:
	if ( (*p) == 111 )
		goto tr1582;
	goto st0;
st1458:
	if ( ++p == pe )
		goto _test_eof1458;
case 1458:
	if ( (*p) == 117 )
		goto st1459;
	goto st0;
st1459:
	if ( ++p == pe )
		goto _test_eof1459;
case 1459:
	if ( (*p) == 100 )
		goto st1460;
	goto st0;
st1460:
	if ( ++p == pe )
		goto _test_eof1460;
case 1460:
	if ( (*p) == 97 )
		goto st1461;
	goto st0;
st1461:
	if ( ++p == pe )
		goto _test_eof1461;
case 1461:
	if ( (*p) == 110 )
		goto st1462;
	goto st0;
st1462:
	if ( ++p == pe )
		goto _test_eof1462;
case 1462:
	if ( (*p) == 112 )
		goto st1463;
	goto st0;
st1463:
	if ( ++p == pe )
		goto _test_eof1463;
case 1463:
	if ( (*p) == 97 )
		goto st1464;
	goto st0;
st1464:
	if ( ++p == pe )
		goto _test_eof1464;
case 1464:
	if ( (*p) == 114 )
		goto st1465;
	goto st0;
st1465:
	if ( ++p == pe )
		goto _test_eof1465;
case 1465:
	if ( (*p) == 122 )
		goto st1466;
	goto st0;
st1466:
	if ( ++p == pe )
		goto _test_eof1466;
case 1466:
	if ( (*p) == 111 )
		goto tr1591;
	goto st0;
st1467:
	if ( ++p == pe )
		goto _test_eof1467;
case 1467:
	switch( (*p) ) {
		case 105: goto st1468;
		case 117: goto st1478;
	}
	goto st0;
st1468:
	if ( ++p == pe )
		goto _test_eof1468;
case 1468:
	if ( (*p) == 115 )
		goto st1469;
	goto st0;
st1469:
	if ( ++p == pe )
		goto _test_eof1469;
case 1469:
	if ( (*p) == 116 )
		goto st1470;
	goto st0;
st1470:
	if ( ++p == pe )
		goto _test_eof1470;
case 1470:
	if ( (*p) == 98 )
		goto st1471;
	goto st0;
st1471:
	if ( ++p == pe )
		goto _test_eof1471;
case 1471:
	if ( (*p) == 101 )
		goto st1472;
	goto st0;
st1472:
	if ( ++p == pe )
		goto _test_eof1472;
case 1472:
	if ( (*p) == 110 )
		goto st1473;
	goto st0;
st1473:
	if ( ++p == pe )
		goto _test_eof1473;
case 1473:
	if ( (*p) == 100 )
		goto st1474;
	goto st0;
st1474:
	if ( ++p == pe )
		goto _test_eof1474;
case 1474:
	if ( (*p) == 101 )
		goto st1475;
	goto st0;
st1475:
	if ( ++p == pe )
		goto _test_eof1475;
case 1475:
	if ( (*p) == 110 )
		goto st1476;
	goto st0;
st1476:
	if ( ++p == pe )
		goto _test_eof1476;
case 1476:
	if ( (*p) == 102 )
		goto st1477;
	goto st0;
st1477:
	if ( ++p == pe )
		goto _test_eof1477;
case 1477:
	if ( (*p) == 117 )
		goto tr1603;
	goto st0;
st1478:
	if ( ++p == pe )
		goto _test_eof1478;
case 1478:
	if ( (*p) == 115 )
		goto st1479;
	goto st0;
st1479:
	if ( ++p == pe )
		goto _test_eof1479;
case 1479:
	if ( (*p) == 116 )
		goto st1480;
	goto st0;
st1480:
	if ( ++p == pe )
		goto _test_eof1480;
case 1480:
	if ( (*p) == 112 )
		goto st1481;
	goto st0;
st1481:
	if ( ++p == pe )
		goto _test_eof1481;
case 1481:
	if ( (*p) == 101 )
		goto st1482;
	goto st0;
st1482:
	if ( ++p == pe )
		goto _test_eof1482;
case 1482:
	if ( (*p) == 103 )
		goto st1483;
	goto st0;
st1483:
	if ( ++p == pe )
		goto _test_eof1483;
case 1483:
	if ( (*p) == 97 )
		goto st1484;
	goto st0;
st1484:
	if ( ++p == pe )
		goto _test_eof1484;
case 1484:
	if ( (*p) == 100 )
		goto st1485;
	goto st0;
st1485:
	if ( ++p == pe )
		goto _test_eof1485;
case 1485:
	if ( (*p) == 97 )
		goto tr1611;
	goto st0;
st1486:
	if ( ++p == pe )
		goto _test_eof1486;
case 1486:
	switch( (*p) ) {
		case 110: goto st1487;
		case 114: goto st1509;
		case 115: goto st1540;
		case 118: goto st1551;
	}
	goto st0;
st1487:
	if ( ++p == pe )
		goto _test_eof1487;
case 1487:
	switch( (*p) ) {
		case 101: goto st1488;
		case 117: goto st1492;
	}
	goto st0;
st1488:
	if ( ++p == pe )
		goto _test_eof1488;
case 1488:
	if ( (*p) == 116 )
		goto st1489;
	goto st0;
st1489:
	if ( ++p == pe )
		goto _test_eof1489;
case 1489:
	if ( (*p) == 105 )
		goto st1490;
	goto st0;
st1490:
	if ( ++p == pe )
		goto _test_eof1490;
case 1490:
	if ( (*p) == 115 )
		goto st1491;
	goto st0;
st1491:
	if ( ++p == pe )
		goto _test_eof1491;
case 1491:
	if ( (*p) == 116 )
		goto tr1621;
	goto st0;
st1492:
	if ( ++p == pe )
		goto _test_eof1492;
case 1492:
	if ( (*p) == 115 )
		goto st1493;
	goto st0;
st1493:
	if ( ++p == pe )
		goto _test_eof1493;
case 1493:
	if ( (*p) == 116 )
		goto st1494;
	goto st0;
st1494:
	if ( ++p == pe )
		goto _test_eof1494;
case 1494:
	if ( (*p) == 109 )
		goto st1495;
	goto st0;
st1495:
	if ( ++p == pe )
		goto _test_eof1495;
case 1495:
	if ( (*p) == 105 )
		goto st1496;
	goto st0;
st1496:
	if ( ++p == pe )
		goto _test_eof1496;
case 1496:
	if ( (*p) == 114 )
		goto st1497;
	goto st0;
st1497:
	if ( ++p == pe )
		goto _test_eof1497;
case 1497:
	if ( (*p) == 109 )
		goto st1498;
	goto st0;
st1498:
	if ( ++p == pe )
		goto _test_eof1498;
case 1498:
	if ( (*p) == 117 )
		goto st1499;
	goto st0;
st1499:
	if ( ++p == pe )
		goto _test_eof1499;
case 1499:
	if ( (*p) == 115 )
		goto st1500;
	goto st0;
st1500:
	if ( ++p == pe )
		goto _test_eof1500;
case 1500:
	if ( (*p) == 116 )
		goto st1501;
	goto st0;
st1501:
	if ( ++p == pe )
		goto _test_eof1501;
case 1501:
	if ( (*p) == 114 )
		goto st1502;
	goto st0;
st1502:
	if ( ++p == pe )
		goto _test_eof1502;
case 1502:
	if ( (*p) == 111 )
		goto st1503;
	goto st0;
st1503:
	if ( ++p == pe )
		goto _test_eof1503;
case 1503:
	if ( (*p) == 114 )
		goto st1504;
	goto st0;
st1504:
	if ( ++p == pe )
		goto _test_eof1504;
case 1504:
	if ( (*p) == 115 )
		goto st1505;
	goto st0;
st1505:
	if ( ++p == pe )
		goto _test_eof1505;
case 1505:
	if ( (*p) == 117 )
		goto st1506;
	goto st0;
st1506:
	if ( ++p == pe )
		goto _test_eof1506;
case 1506:
	if ( (*p) == 115 )
		goto st1507;
	goto st0;
st1507:
	if ( ++p == pe )
		goto _test_eof1507;
case 1507:
	if ( (*p) == 101 )
		goto st1508;
	goto st0;
st1508:
	if ( ++p == pe )
		goto _test_eof1508;
case 1508:
	if ( (*p) == 110 )
		goto tr1638;
	goto st0;
st1509:
	if ( ++p == pe )
		goto _test_eof1509;
case 1509:
	switch( (*p) ) {
		case 102: goto st1510;
		case 122: goto st1521;
	}
	goto st0;
st1510:
	if ( ++p == pe )
		goto _test_eof1510;
case 1510:
	if ( (*p) == 117 )
		goto st1511;
	goto st0;
st1511:
	if ( ++p == pe )
		goto _test_eof1511;
case 1511:
	if ( (*p) == 114 )
		goto st1512;
	goto st0;
st1512:
	if ( ++p == pe )
		goto _test_eof1512;
case 1512:
	if ( (*p) == 100 )
		goto st1513;
	goto st0;
st1513:
	if ( ++p == pe )
		goto _test_eof1513;
case 1513:
	if ( (*p) == 105 )
		goto st1514;
	goto st0;
st1514:
	if ( ++p == pe )
		goto _test_eof1514;
case 1514:
	if ( (*p) == 98 )
		goto st1515;
	goto st0;
st1515:
	if ( ++p == pe )
		goto _test_eof1515;
case 1515:
	if ( (*p) == 101 )
		goto st1516;
	goto st0;
st1516:
	if ( ++p == pe )
		goto _test_eof1516;
case 1516:
	if ( (*p) == 114 )
		goto st1517;
	goto st0;
st1517:
	if ( ++p == pe )
		goto _test_eof1517;
case 1517:
	if ( (*p) == 122 )
		goto st1518;
	goto st0;
st1518:
	if ( ++p == pe )
		goto _test_eof1518;
case 1518:
	if ( (*p) == 97 )
		goto st1519;
	goto st0;
st1519:
	if ( ++p == pe )
		goto _test_eof1519;
case 1519:
	if ( (*p) == 100 )
		goto st1520;
	goto st0;
st1520:
	if ( ++p == pe )
		goto _test_eof1520;
case 1520:
	if ( (*p) == 111 )
		goto tr1651;
	goto st0;
st1521:
	if ( ++p == pe )
		goto _test_eof1521;
case 1521:
	if ( (*p) == 111 )
		goto st1522;
	goto st0;
st1522:
	if ( ++p == pe )
		goto _test_eof1522;
case 1522:
	switch( (*p) ) {
		case 110: goto st1523;
		case 118: goto st1536;
	}
	goto st0;
st1523:
	if ( ++p == pe )
		goto _test_eof1523;
case 1523:
	if ( (*p) == 102 )
		goto st1524;
	goto st0;
st1524:
	if ( ++p == pe )
		goto _test_eof1524;
case 1524:
	if ( (*p) == 117 )
		goto st1525;
	goto st0;
st1525:
	if ( ++p == pe )
		goto _test_eof1525;
case 1525:
	if ( (*p) == 116 )
		goto st1526;
	goto st0;
st1526:
	if ( ++p == pe )
		goto _test_eof1526;
case 1526:
	if ( (*p) == 117 )
		goto st1527;
	goto st0;
st1527:
	if ( ++p == pe )
		goto _test_eof1527;
case 1527:
	if ( (*p) == 115 )
		goto st1528;
	goto st0;
st1528:
	if ( ++p == pe )
		goto _test_eof1528;
case 1528:
	if ( (*p) == 116 )
		goto st1529;
	goto st0;
st1529:
	if ( ++p == pe )
		goto _test_eof1529;
case 1529:
	if ( (*p) == 110 )
		goto st1530;
	goto st0;
st1530:
	if ( ++p == pe )
		goto _test_eof1530;
case 1530:
	if ( (*p) == 111 )
		goto st1531;
	goto st0;
st1531:
	if ( ++p == pe )
		goto _test_eof1531;
case 1531:
	if ( (*p) == 114 )
		goto st1532;
	goto st0;
st1532:
	if ( ++p == pe )
		goto _test_eof1532;
case 1532:
	if ( (*p) == 112 )
		goto st1533;
	goto st0;
st1533:
	if ( ++p == pe )
		goto _test_eof1533;
case 1533:
	if ( (*p) == 97 )
		goto st1534;
	goto st0;
st1534:
	if ( ++p == pe )
		goto _test_eof1534;
case 1534:
	if ( (*p) == 115 )
		goto st1535;
	goto st0;
st1535:
	if ( ++p == pe )
		goto _test_eof1535;
case 1535:
	if ( (*p) == 116 )
		goto tr1667;
	goto st0;
st1536:
	if ( ++p == pe )
		goto _test_eof1536;
case 1536:
	if ( (*p) == 111 )
		goto st1537;
	goto st0;
st1537:
	if ( ++p == pe )
		goto _test_eof1537;
case 1537:
	if ( (*p) == 107 )
		goto st1538;
	goto st0;
st1538:
	if ( ++p == pe )
		goto _test_eof1538;
case 1538:
	if ( (*p) == 117 )
		goto st1539;
	goto st0;
st1539:
	if ( ++p == pe )
		goto _test_eof1539;
case 1539:
	if ( (*p) == 114 )
		goto tr1671;
	goto st0;
st1540:
	if ( ++p == pe )
		goto _test_eof1540;
case 1540:
	if ( (*p) == 116 )
		goto st1541;
	goto st0;
st1541:
	if ( ++p == pe )
		goto _test_eof1541;
case 1541:
	if ( (*p) == 115 )
		goto st1542;
	goto st0;
st1542:
	if ( ++p == pe )
		goto _test_eof1542;
case 1542:
	if ( (*p) == 111 )
		goto st1543;
	goto st0;
st1543:
	if ( ++p == pe )
		goto _test_eof1543;
case 1543:
	if ( (*p) == 110 )
		goto st1544;
	goto st0;
st1544:
	if ( ++p == pe )
		goto _test_eof1544;
case 1544:
	if ( (*p) == 100 )
		goto st1545;
	goto st0;
st1545:
	if ( ++p == pe )
		goto _test_eof1545;
case 1545:
	if ( (*p) == 105 )
		goto st1546;
	goto st0;
st1546:
	if ( ++p == pe )
		goto _test_eof1546;
case 1546:
	if ( (*p) == 114 )
		goto st1547;
	goto st0;
st1547:
	if ( ++p == pe )
		goto _test_eof1547;
case 1547:
	if ( (*p) == 101 )
		goto st1548;
	goto st0;
st1548:
	if ( ++p == pe )
		goto _test_eof1548;
case 1548:
	if ( (*p) == 103 )
		goto st1549;
	goto st0;
st1549:
	if ( ++p == pe )
		goto _test_eof1549;
case 1549:
	if ( (*p) == 111 )
		goto st1550;
	goto st0;
st1550:
	if ( ++p == pe )
		goto _test_eof1550;
case 1550:
	if ( (*p) == 110 )
		goto tr1682;
	goto st0;
st1551:
	if ( ++p == pe )
		goto _test_eof1551;
case 1551:
	switch( (*p) ) {
		case 97: goto st1552;
		case 101: goto st1553;
	}
	goto st0;
st1552:
	if ( ++p == pe )
		goto _test_eof1552;
case 1552:
	if ( (*p) == 110 )
		goto tr1685;
	goto st0;
st1553:
	if ( ++p == pe )
		goto _test_eof1553;
case 1553:
	if ( (*p) == 114 )
		goto st1554;
	goto st0;
st1554:
	if ( ++p == pe )
		goto _test_eof1554;
case 1554:
	if ( (*p) == 118 )
		goto st1555;
	goto st0;
st1555:
	if ( ++p == pe )
		goto _test_eof1555;
case 1555:
	if ( (*p) == 105 )
		goto st1556;
	goto st0;
st1556:
	if ( ++p == pe )
		goto _test_eof1556;
case 1556:
	if ( (*p) == 115 )
		goto st1557;
	goto st0;
st1557:
	if ( ++p == pe )
		goto _test_eof1557;
case 1557:
	if ( (*p) == 116 )
		goto st1558;
	goto st0;
st1558:
	if ( ++p == pe )
		goto _test_eof1558;
case 1558:
	if ( (*p) == 122 )
		goto st1559;
	goto st0;
st1559:
	if ( ++p == pe )
		goto _test_eof1559;
case 1559:
	if ( (*p) == 111 )
		goto st1560;
	goto st0;
st1560:
	if ( ++p == pe )
		goto _test_eof1560;
case 1560:
	if ( (*p) == 110 )
		goto st1561;
	goto st0;
st1561:
	if ( ++p == pe )
		goto _test_eof1561;
case 1561:
	if ( (*p) == 110 )
		goto st1562;
	goto st0;
st1562:
	if ( ++p == pe )
		goto _test_eof1562;
case 1562:
	if ( (*p) == 117 )
		goto st1563;
	goto st0;
st1563:
	if ( ++p == pe )
		goto _test_eof1563;
case 1563:
	if ( (*p) == 110 )
		goto st1564;
	goto st0;
st1564:
	if ( ++p == pe )
		goto _test_eof1564;
case 1564:
	if ( (*p) == 103 )
		goto st1565;
	goto st0;
st1565:
	if ( ++p == pe )
		goto _test_eof1565;
case 1565:
	if ( (*p) == 105 )
		goto st1566;
	goto st0;
st1566:
	if ( ++p == pe )
		goto _test_eof1566;
case 1566:
	if ( (*p) == 115 )
		goto st1567;
	goto st0;
st1567:
	if ( ++p == pe )
		goto _test_eof1567;
case 1567:
	if ( (*p) == 116 )
		goto tr1700;
	goto st0;
st1568:
	if ( ++p == pe )
		goto _test_eof1568;
case 1568:
	switch( (*p) ) {
		case 100: goto st1569;
		case 114: goto st1580;
		case 115: goto st1595;
		case 122: goto st1622;
	}
	goto st0;
st1569:
	if ( ++p == pe )
		goto _test_eof1569;
case 1569:
	if ( (*p) == 117 )
		goto st1570;
	goto st0;
st1570:
	if ( ++p == pe )
		goto _test_eof1570;
case 1570:
	if ( (*p) == 115 )
		goto st1571;
	goto st0;
st1571:
	if ( ++p == pe )
		goto _test_eof1571;
case 1571:
	if ( (*p) == 116 )
		goto st1572;
	goto st0;
st1572:
	if ( ++p == pe )
		goto _test_eof1572;
case 1572:
	if ( (*p) == 112 )
		goto st1573;
	goto st0;
st1573:
	if ( ++p == pe )
		goto _test_eof1573;
case 1573:
	if ( (*p) == 117 )
		goto st1574;
	goto st0;
st1574:
	if ( ++p == pe )
		goto _test_eof1574;
case 1574:
	if ( (*p) == 114 )
		goto st1575;
	goto st0;
st1575:
	if ( ++p == pe )
		goto _test_eof1575;
case 1575:
	if ( (*p) == 112 )
		goto st1576;
	goto st0;
st1576:
	if ( ++p == pe )
		goto _test_eof1576;
case 1576:
	if ( (*p) == 101 )
		goto st1577;
	goto st0;
st1577:
	if ( ++p == pe )
		goto _test_eof1577;
case 1577:
	if ( (*p) == 110 )
		goto st1578;
	goto st0;
st1578:
	if ( ++p == pe )
		goto _test_eof1578;
case 1578:
	if ( (*p) == 108 )
		goto st1579;
	goto st0;
st1579:
	if ( ++p == pe )
		goto _test_eof1579;
case 1579:
	if ( (*p) == 117 )
		goto tr1715;
	goto st0;
st1580:
	if ( ++p == pe )
		goto _test_eof1580;
case 1580:
	if ( (*p) == 122 )
		goto st1581;
	goto st0;
st1581:
	if ( ++p == pe )
		goto _test_eof1581;
case 1581:
	if ( (*p) == 97 )
		goto st1582;
	goto st0;
st1582:
	if ( ++p == pe )
		goto _test_eof1582;
case 1582:
	if ( (*p) == 115 )
		goto st1583;
	goto st0;
st1583:
	if ( ++p == pe )
		goto _test_eof1583;
case 1583:
	if ( (*p) == 116 )
		goto st1584;
	goto st0;
st1584:
	if ( ++p == pe )
		goto _test_eof1584;
case 1584:
	if ( (*p) == 109 )
		goto st1585;
	goto st0;
st1585:
	if ( ++p == pe )
		goto _test_eof1585;
case 1585:
	if ( (*p) == 117 )
		goto st1586;
	goto st0;
st1586:
	if ( ++p == pe )
		goto _test_eof1586;
case 1586:
	if ( (*p) == 110 )
		goto st1587;
	goto st0;
st1587:
	if ( ++p == pe )
		goto _test_eof1587;
case 1587:
	if ( (*p) == 114 )
		goto st1588;
	goto st0;
st1588:
	if ( ++p == pe )
		goto _test_eof1588;
case 1588:
	if ( (*p) == 105 )
		goto st1589;
	goto st0;
st1589:
	if ( ++p == pe )
		goto _test_eof1589;
case 1589:
	if ( (*p) == 116 )
		goto st1590;
	goto st0;
st1590:
	if ( ++p == pe )
		goto _test_eof1590;
case 1590:
	if ( (*p) == 117 )
		goto st1591;
	goto st0;
st1591:
	if ( ++p == pe )
		goto _test_eof1591;
case 1591:
	if ( (*p) == 115 )
		goto st1592;
	goto st0;
st1592:
	if ( ++p == pe )
		goto _test_eof1592;
case 1592:
	if ( (*p) == 116 )
		goto st1593;
	goto st0;
st1593:
	if ( ++p == pe )
		goto _test_eof1593;
case 1593:
	if ( (*p) == 103 )
		goto st1594;
	goto st0;
st1594:
	if ( ++p == pe )
		goto _test_eof1594;
case 1594:
	if ( (*p) == 97 )
		goto tr1730;
	goto st0;
st1595:
	if ( ++p == pe )
		goto _test_eof1595;
case 1595:
	if ( (*p) == 116 )
		goto st1596;
	goto st0;
st1596:
	if ( ++p == pe )
		goto _test_eof1596;
case 1596:
	switch( (*p) ) {
		case 102: goto st1597;
		case 116: goto st1610;
	}
	goto st0;
st1597:
	if ( ++p == pe )
		goto _test_eof1597;
case 1597:
	if ( (*p) == 97 )
		goto st1598;
	goto st0;
st1598:
	if ( ++p == pe )
		goto _test_eof1598;
case 1598:
	if ( (*p) == 110 )
		goto st1599;
	goto st0;
st1599:
	if ( ++p == pe )
		goto _test_eof1599;
case 1599:
	if ( (*p) == 111 )
		goto st1600;
	goto st0;
st1600:
	if ( ++p == pe )
		goto _test_eof1600;
case 1600:
	if ( (*p) == 115 )
		goto st1601;
	goto st0;
st1601:
	if ( ++p == pe )
		goto _test_eof1601;
case 1601:
	if ( (*p) == 116 )
		goto st1602;
	goto st0;
st1602:
	if ( ++p == pe )
		goto _test_eof1602;
case 1602:
	if ( (*p) == 118 )
		goto st1603;
	goto st0;
st1603:
	if ( ++p == pe )
		goto _test_eof1603;
case 1603:
	if ( (*p) == 111 )
		goto st1604;
	goto st0;
st1604:
	if ( ++p == pe )
		goto _test_eof1604;
case 1604:
	if ( (*p) == 116 )
		goto st1605;
	goto st0;
st1605:
	if ( ++p == pe )
		goto _test_eof1605;
case 1605:
	if ( (*p) == 105 )
		goto st1606;
	goto st0;
st1606:
	if ( ++p == pe )
		goto _test_eof1606;
case 1606:
	if ( (*p) == 115 )
		goto st1607;
	goto st0;
st1607:
	if ( ++p == pe )
		goto _test_eof1607;
case 1607:
	if ( (*p) == 116 )
		goto st1608;
	goto st0;
st1608:
	if ( ++p == pe )
		goto _test_eof1608;
case 1608:
	if ( (*p) == 100 )
		goto st1609;
	goto st0;
st1609:
	if ( ++p == pe )
		goto _test_eof1609;
case 1609:
	if ( (*p) == 97 )
		goto tr1746;
	goto st0;
st1610:
	if ( ++p == pe )
		goto _test_eof1610;
case 1610:
	if ( (*p) == 117 )
		goto st1611;
	goto st0;
st1611:
	if ( ++p == pe )
		goto _test_eof1611;
case 1611:
	if ( (*p) == 98 )
		goto st1612;
	goto st0;
st1612:
	if ( ++p == pe )
		goto _test_eof1612;
case 1612:
	if ( (*p) == 97 )
		goto st1613;
	goto st0;
st1613:
	if ( ++p == pe )
		goto _test_eof1613;
case 1613:
	if ( (*p) == 114 )
		goto st1614;
	goto st0;
st1614:
	if ( ++p == pe )
		goto _test_eof1614;
case 1614:
	if ( (*p) == 116 )
		goto st1615;
	goto st0;
st1615:
	if ( ++p == pe )
		goto _test_eof1615;
case 1615:
	if ( (*p) == 117 )
		goto st1616;
	goto st0;
st1616:
	if ( ++p == pe )
		goto _test_eof1616;
case 1616:
	if ( (*p) == 115 )
		goto st1617;
	goto st0;
st1617:
	if ( ++p == pe )
		goto _test_eof1617;
case 1617:
	if ( (*p) == 116 )
		goto st1618;
	goto st0;
st1618:
	if ( ++p == pe )
		goto _test_eof1618;
case 1618:
	if ( (*p) == 107 )
		goto st1619;
	goto st0;
st1619:
	if ( ++p == pe )
		goto _test_eof1619;
case 1619:
	if ( (*p) == 111 )
		goto st1620;
	goto st0;
st1620:
	if ( ++p == pe )
		goto _test_eof1620;
case 1620:
	if ( (*p) == 115 )
		goto st1621;
	goto st0;
st1621:
	if ( ++p == pe )
		goto _test_eof1621;
case 1621:
	if ( (*p) == 116 )
		goto tr1758;
	goto st0;
st1622:
	if ( ++p == pe )
		goto _test_eof1622;
case 1622:
	if ( (*p) == 101 )
		goto st1623;
	goto st0;
st1623:
	if ( ++p == pe )
		goto _test_eof1623;
case 1623:
	if ( (*p) == 110 )
		goto st1624;
	goto st0;
st1624:
	if ( ++p == pe )
		goto _test_eof1624;
case 1624:
	if ( (*p) == 112 )
		goto st1625;
	goto st0;
st1625:
	if ( ++p == pe )
		goto _test_eof1625;
case 1625:
	if ( (*p) == 117 )
		goto tr1762;
	goto st0;
st1626:
	if ( ++p == pe )
		goto _test_eof1626;
case 1626:
	switch( (*p) ) {
		case 110: goto st1627;
		case 118: goto st1632;
	}
	goto st0;
st1627:
	if ( ++p == pe )
		goto _test_eof1627;
case 1627:
	if ( (*p) == 112 )
		goto st1628;
	goto st0;
st1628:
	if ( ++p == pe )
		goto _test_eof1628;
case 1628:
	if ( (*p) == 101 )
		goto st1629;
	goto st0;
st1629:
	if ( ++p == pe )
		goto _test_eof1629;
case 1629:
	if ( (*p) == 110 )
		goto st1630;
	goto st0;
st1630:
	if ( ++p == pe )
		goto _test_eof1630;
case 1630:
	if ( (*p) == 102 )
		goto st1631;
	goto st0;
st1631:
	if ( ++p == pe )
		goto _test_eof1631;
case 1631:
	if ( (*p) == 97 )
		goto tr1769;
	goto st0;
st1632:
	if ( ++p == pe )
		goto _test_eof1632;
case 1632:
	if ( (*p) == 97 )
		goto st1633;
	goto st0;
st1633:
	if ( ++p == pe )
		goto _test_eof1633;
case 1633:
	if ( (*p) == 114 )
		goto st1634;
	goto st0;
st1634:
	if ( ++p == pe )
		goto _test_eof1634;
case 1634:
	if ( (*p) == 112 )
		goto st1635;
	goto st0;
st1635:
	if ( ++p == pe )
		goto _test_eof1635;
case 1635:
	if ( (*p) == 97 )
		goto st1636;
	goto st0;
st1636:
	if ( ++p == pe )
		goto _test_eof1636;
case 1636:
	if ( (*p) == 114 )
		goto st1637;
	goto st0;
st1637:
	if ( ++p == pe )
		goto _test_eof1637;
case 1637:
	if ( (*p) == 118 )
		goto st1638;
	goto st0;
st1638:
	if ( ++p == pe )
		goto _test_eof1638;
case 1638:
	if ( (*p) == 101 )
		goto st1639;
	goto st0;
st1639:
	if ( ++p == pe )
		goto _test_eof1639;
case 1639:
	if ( (*p) == 114 )
		goto tr1777;
	goto st0;
st1640:
	if ( ++p == pe )
		goto _test_eof1640;
case 1640:
	switch( (*p) ) {
		case 102: goto st1641;
		case 103: goto st1654;
		case 110: goto st1668;
		case 114: goto st1690;
		case 115: goto st1706;
	}
	goto st0;
st1641:
	if ( ++p == pe )
		goto _test_eof1641;
case 1641:
	if ( (*p) == 111 )
		goto st1642;
	goto st0;
st1642:
	if ( ++p == pe )
		goto _test_eof1642;
case 1642:
	if ( (*p) == 114 )
		goto st1643;
	goto st0;
st1643:
	if ( ++p == pe )
		goto _test_eof1643;
case 1643:
	if ( (*p) == 122 )
		goto st1644;
	goto st0;
st1644:
	if ( ++p == pe )
		goto _test_eof1644;
case 1644:
	if ( (*p) == 101 )
		goto st1645;
	goto st0;
st1645:
	if ( ++p == pe )
		goto _test_eof1645;
case 1645:
	if ( (*p) == 122 )
		goto st1646;
	goto st0;
st1646:
	if ( ++p == pe )
		goto _test_eof1646;
case 1646:
	if ( (*p) == 101 )
		goto st1647;
	goto st0;
st1647:
	if ( ++p == pe )
		goto _test_eof1647;
case 1647:
	if ( (*p) == 107 )
		goto st1648;
	goto st0;
st1648:
	if ( ++p == pe )
		goto _test_eof1648;
case 1648:
	if ( (*p) == 105 )
		goto st1649;
	goto st0;
st1649:
	if ( ++p == pe )
		goto _test_eof1649;
case 1649:
	if ( (*p) == 98 )
		goto st1650;
	goto st0;
st1650:
	if ( ++p == pe )
		goto _test_eof1650;
case 1650:
	if ( (*p) == 117 )
		goto st1651;
	goto st0;
st1651:
	if ( ++p == pe )
		goto _test_eof1651;
case 1651:
	if ( (*p) == 110 )
		goto st1652;
	goto st0;
st1652:
	if ( ++p == pe )
		goto _test_eof1652;
case 1652:
	if ( (*p) == 108 )
		goto st1653;
	goto st0;
st1653:
	if ( ++p == pe )
		goto _test_eof1653;
case 1653:
	if ( (*p) == 117 )
		goto tr1795;
	goto st0;
st1654:
	if ( ++p == pe )
		goto _test_eof1654;
case 1654:
	if ( (*p) == 117 )
		goto st1655;
	goto st0;
st1655:
	if ( ++p == pe )
		goto _test_eof1655;
case 1655:
	if ( (*p) == 118 )
		goto st1656;
	goto st0;
st1656:
	if ( ++p == pe )
		goto _test_eof1656;
case 1656:
	if ( (*p) == 105 )
		goto st1657;
	goto st0;
st1657:
	if ( ++p == pe )
		goto _test_eof1657;
case 1657:
	if ( (*p) == 114 )
		goto st1658;
	goto st0;
st1658:
	if ( ++p == pe )
		goto _test_eof1658;
case 1658:
	if ( (*p) == 97 )
		goto st1659;
	goto st0;
st1659:
	if ( ++p == pe )
		goto _test_eof1659;
case 1659:
	if ( (*p) == 122 )
		goto st1660;
	goto st0;
st1660:
	if ( ++p == pe )
		goto _test_eof1660;
case 1660:
	if ( (*p) == 105 )
		goto st1661;
	goto st0;
st1661:
	if ( ++p == pe )
		goto _test_eof1661;
case 1661:
	if ( (*p) == 110 )
		goto st1662;
	goto st0;
st1662:
	if ( ++p == pe )
		goto _test_eof1662;
case 1662:
	if ( (*p) == 114 )
		goto st1663;
	goto st0;
st1663:
	if ( ++p == pe )
		goto _test_eof1663;
case 1663:
	if ( (*p) == 117 )
		goto st1664;
	goto st0;
st1664:
	if ( ++p == pe )
		goto _test_eof1664;
case 1664:
	if ( (*p) == 115 )
		goto st1665;
	goto st0;
st1665:
	if ( ++p == pe )
		goto _test_eof1665;
case 1665:
	if ( (*p) == 116 )
		goto st1666;
	goto st0;
st1666:
	if ( ++p == pe )
		goto _test_eof1666;
case 1666:
	if ( (*p) == 103 )
		goto st1667;
	goto st0;
st1667:
	if ( ++p == pe )
		goto _test_eof1667;
case 1667:
	if ( (*p) == 111 )
		goto tr1809;
	goto st0;
st1668:
	if ( ++p == pe )
		goto _test_eof1668;
case 1668:
	switch( (*p) ) {
		case 98: goto st1669;
		case 100: goto st1679;
	}
	goto st0;
st1669:
	if ( ++p == pe )
		goto _test_eof1669;
case 1669:
	if ( (*p) == 97 )
		goto st1670;
	goto st0;
st1670:
	if ( ++p == pe )
		goto _test_eof1670;
case 1670:
	if ( (*p) == 115 )
		goto st1671;
	goto st0;
st1671:
	if ( ++p == pe )
		goto _test_eof1671;
case 1671:
	if ( (*p) == 116 )
		goto st1672;
	goto st0;
st1672:
	if ( ++p == pe )
		goto _test_eof1672;
case 1672:
	if ( (*p) == 98 )
		goto st1673;
	goto st0;
st1673:
	if ( ++p == pe )
		goto _test_eof1673;
case 1673:
	if ( (*p) == 117 )
		goto st1674;
	goto st0;
st1674:
	if ( ++p == pe )
		goto _test_eof1674;
case 1674:
	if ( (*p) == 114 )
		goto st1675;
	goto st0;
st1675:
	if ( ++p == pe )
		goto _test_eof1675;
case 1675:
	if ( (*p) == 122 )
		goto st1676;
	goto st0;
st1676:
	if ( ++p == pe )
		goto _test_eof1676;
case 1676:
	if ( (*p) == 101 )
		goto st1677;
	goto st0;
st1677:
	if ( ++p == pe )
		goto _test_eof1677;
case 1677:
	if ( (*p) == 100 )
		goto st1678;
	goto st0;
st1678:
	if ( ++p == pe )
		goto _test_eof1678;
case 1678:
	if ( (*p) == 111 )
		goto tr1821;
	goto st0;
st1679:
	if ( ++p == pe )
		goto _test_eof1679;
case 1679:
	if ( (*p) == 105 )
		goto st1680;
	goto st0;
st1680:
	if ( ++p == pe )
		goto _test_eof1680;
case 1680:
	if ( (*p) == 115 )
		goto st1681;
	goto st0;
st1681:
	if ( ++p == pe )
		goto _test_eof1681;
case 1681:
	if ( (*p) == 116 )
		goto st1682;
	goto st0;
st1682:
	if ( ++p == pe )
		goto _test_eof1682;
case 1682:
	if ( (*p) == 112 )
		goto st1683;
	goto st0;
st1683:
	if ( ++p == pe )
		goto _test_eof1683;
case 1683:
	if ( (*p) == 101 )
		goto st1684;
	goto st0;
st1684:
	if ( ++p == pe )
		goto _test_eof1684;
case 1684:
	if ( (*p) == 118 )
		goto st1685;
	goto st0;
st1685:
	if ( ++p == pe )
		goto _test_eof1685;
case 1685:
	if ( (*p) == 117 )
		goto st1686;
	goto st0;
st1686:
	if ( ++p == pe )
		goto _test_eof1686;
case 1686:
	if ( (*p) == 115 )
		goto st1687;
	goto st0;
st1687:
	if ( ++p == pe )
		goto _test_eof1687;
case 1687:
	if ( (*p) == 116 )
		goto st1688;
	goto st0;
st1688:
	if ( ++p == pe )
		goto _test_eof1688;
case 1688:
	if ( (*p) == 103 )
		goto st1689;
	goto st0;
st1689:
	if ( ++p == pe )
		goto _test_eof1689;
case 1689:
	if ( (*p) == 105 )
		goto tr1832;
	goto st0;
st1690:
	if ( ++p == pe )
		goto _test_eof1690;
case 1690:
	if ( (*p) == 109 )
		goto st1691;
	goto st0;
st1691:
	if ( ++p == pe )
		goto _test_eof1691;
case 1691:
	if ( (*p) == 97 )
		goto st1692;
	goto st0;
st1692:
	if ( ++p == pe )
		goto _test_eof1692;
case 1692:
	if ( (*p) == 114 )
		goto st1693;
	goto st0;
st1693:
	if ( ++p == pe )
		goto _test_eof1693;
case 1693:
	if ( (*p) == 114 )
		goto st1694;
	goto st0;
st1694:
	if ( ++p == pe )
		goto _test_eof1694;
case 1694:
	if ( (*p) == 105 )
		goto st1695;
	goto st0;
st1695:
	if ( ++p == pe )
		goto _test_eof1695;
case 1695:
	if ( (*p) == 114 )
		goto st1696;
	goto st0;
st1696:
	if ( ++p == pe )
		goto _test_eof1696;
case 1696:
	if ( (*p) == 98 )
		goto st1697;
	goto st0;
st1697:
	if ( ++p == pe )
		goto _test_eof1697;
case 1697:
	if ( (*p) == 111 )
		goto st1698;
	goto st0;
st1698:
	if ( ++p == pe )
		goto _test_eof1698;
case 1698:
	if ( (*p) == 110 )
		goto st1699;
	goto st0;
st1699:
	if ( ++p == pe )
		goto _test_eof1699;
case 1699:
	if ( (*p) == 107 )
		goto st1700;
	goto st0;
st1700:
	if ( ++p == pe )
		goto _test_eof1700;
case 1700:
	if ( (*p) == 105 )
		goto st1701;
	goto st0;
st1701:
	if ( ++p == pe )
		goto _test_eof1701;
case 1701:
	if ( (*p) == 112 )
		goto st1702;
	goto st0;
st1702:
	if ( ++p == pe )
		goto _test_eof1702;
case 1702:
	if ( (*p) == 117 )
		goto st1703;
	goto st0;
st1703:
	if ( ++p == pe )
		goto _test_eof1703;
case 1703:
	if ( (*p) == 112 )
		goto st1704;
	goto st0;
st1704:
	if ( ++p == pe )
		goto _test_eof1704;
case 1704:
	if ( (*p) == 111 )
		goto st1705;
	goto st0;
st1705:
	if ( ++p == pe )
		goto _test_eof1705;
case 1705:
	if ( (*p) == 110 )
		goto tr1848;
	goto st0;
st1706:
	if ( ++p == pe )
		goto _test_eof1706;
case 1706:
	if ( (*p) == 116 )
		goto st1707;
	goto st0;
st1707:
	if ( ++p == pe )
		goto _test_eof1707;
case 1707:
	if ( (*p) == 114 )
		goto st1708;
	goto st0;
st1708:
	if ( ++p == pe )
		goto _test_eof1708;
case 1708:
	if ( (*p) == 105 )
		goto st1709;
	goto st0;
st1709:
	if ( ++p == pe )
		goto _test_eof1709;
case 1709:
	if ( (*p) == 110 )
		goto st1710;
	goto st0;
st1710:
	if ( ++p == pe )
		goto _test_eof1710;
case 1710:
	if ( (*p) == 122 )
		goto st1711;
	goto st0;
st1711:
	if ( ++p == pe )
		goto _test_eof1711;
case 1711:
	if ( (*p) == 101 )
		goto st1712;
	goto st0;
st1712:
	if ( ++p == pe )
		goto _test_eof1712;
case 1712:
	if ( (*p) == 114 )
		goto st1713;
	goto st0;
st1713:
	if ( ++p == pe )
		goto _test_eof1713;
case 1713:
	if ( (*p) == 117 )
		goto st1714;
	goto st0;
st1714:
	if ( ++p == pe )
		goto _test_eof1714;
case 1714:
	if ( (*p) == 110 )
		goto st1715;
	goto st0;
st1715:
	if ( ++p == pe )
		goto _test_eof1715;
case 1715:
	if ( (*p) == 115 )
		goto st1716;
	goto st0;
st1716:
	if ( ++p == pe )
		goto _test_eof1716;
case 1716:
	if ( (*p) == 101 )
		goto st1717;
	goto st0;
st1717:
	if ( ++p == pe )
		goto _test_eof1717;
case 1717:
	if ( (*p) == 114 )
		goto st1718;
	goto st0;
st1718:
	if ( ++p == pe )
		goto _test_eof1718;
case 1718:
	if ( (*p) == 117 )
		goto st1719;
	goto st0;
st1719:
	if ( ++p == pe )
		goto _test_eof1719;
case 1719:
	if ( (*p) == 115 )
		goto st1720;
	goto st0;
st1720:
	if ( ++p == pe )
		goto _test_eof1720;
case 1720:
	if ( (*p) == 116 )
		goto tr1863;
	goto st0;
st1721:
	if ( ++p == pe )
		goto _test_eof1721;
case 1721:
	switch( (*p) ) {
		case 97: goto st1722;
		case 101: goto st1786;
		case 105: goto st1823;
		case 111: goto st1877;
		case 117: goto st1950;
	}
	goto st0;
st1722:
	if ( ++p == pe )
		goto _test_eof1722;
case 1722:
	switch( (*p) ) {
		case 110: goto st1723;
		case 114: goto st1745;
		case 115: goto st1753;
	}
	goto st0;
st1723:
	if ( ++p == pe )
		goto _test_eof1723;
case 1723:
	switch( (*p) ) {
		case 108: goto st1724;
		case 111: goto st1734;
	}
	goto st0;
st1724:
	if ( ++p == pe )
		goto _test_eof1724;
case 1724:
	if ( (*p) == 117 )
		goto st1725;
	goto st0;
st1725:
	if ( ++p == pe )
		goto _test_eof1725;
case 1725:
	if ( (*p) == 110 )
		goto st1726;
	goto st0;
st1726:
	if ( ++p == pe )
		goto _test_eof1726;
case 1726:
	if ( (*p) == 108 )
		goto st1727;
	goto st0;
st1727:
	if ( ++p == pe )
		goto _test_eof1727;
case 1727:
	if ( (*p) == 111 )
		goto st1728;
	goto st0;
st1728:
	if ( ++p == pe )
		goto _test_eof1728;
case 1728:
	if ( (*p) == 114 )
		goto st1729;
	goto st0;
st1729:
	if ( ++p == pe )
		goto _test_eof1729;
case 1729:
	if ( (*p) == 100 )
		goto st1730;
	goto st0;
st1730:
	if ( ++p == pe )
		goto _test_eof1730;
case 1730:
	if ( (*p) == 111 )
		goto st1731;
	goto st0;
st1731:
	if ( ++p == pe )
		goto _test_eof1731;
case 1731:
	if ( (*p) == 103 )
		goto st1732;
	goto st0;
st1732:
	if ( ++p == pe )
		goto _test_eof1732;
case 1732:
	if ( (*p) == 111 )
		goto st1733;
	goto st0;
st1733:
	if ( ++p == pe )
		goto _test_eof1733;
case 1733:
	if ( (*p) == 114 )
		goto tr1883;
	goto st0;
st1734:
	if ( ++p == pe )
		goto _test_eof1734;
case 1734:
	if ( (*p) == 114 )
		goto st1735;
	goto st0;
st1735:
	if ( ++p == pe )
		goto _test_eof1735;
case 1735:
	if ( (*p) == 112 )
		goto st1736;
	goto st0;
st1736:
	if ( ++p == pe )
		goto _test_eof1736;
case 1736:
	if ( (*p) == 117 )
		goto st1737;
	goto st0;
st1737:
	if ( ++p == pe )
		goto _test_eof1737;
case 1737:
	if ( (*p) == 115 )
		goto st1738;
	goto st0;
st1738:
	if ( ++p == pe )
		goto _test_eof1738;
case 1738:
	if ( (*p) == 116 )
		goto st1739;
	goto st0;
st1739:
	if ( ++p == pe )
		goto _test_eof1739;
case 1739:
	if ( (*p) == 102 )
		goto st1740;
	goto st0;
st1740:
	if ( ++p == pe )
		goto _test_eof1740;
case 1740:
	if ( (*p) == 117 )
		goto st1741;
	goto st0;
st1741:
	if ( ++p == pe )
		goto _test_eof1741;
case 1741:
	if ( (*p) == 110 )
		goto st1742;
	goto st0;
st1742:
	if ( ++p == pe )
		goto _test_eof1742;
case 1742:
	if ( (*p) == 122 )
		goto st1743;
	goto st0;
st1743:
	if ( ++p == pe )
		goto _test_eof1743;
case 1743:
	if ( (*p) == 111 )
		goto st1744;
	goto st0;
st1744:
	if ( ++p == pe )
		goto _test_eof1744;
case 1744:
	if ( (*p) == 114 )
		goto tr1894;
	goto st0;
st1745:
	if ( ++p == pe )
		goto _test_eof1745;
case 1745:
	switch( (*p) ) {
		case 102: goto st1746;
		case 108: goto st1750;
	}
	goto st0;
st1746:
	if ( ++p == pe )
		goto _test_eof1746;
case 1746:
	if ( (*p) == 111 )
		goto st1747;
	goto st0;
st1747:
	if ( ++p == pe )
		goto _test_eof1747;
case 1747:
	if ( (*p) == 116 )
		goto st1748;
	goto st0;
st1748:
	if ( ++p == pe )
		goto _test_eof1748;
case 1748:
	if ( (*p) == 111 )
		goto st1749;
	goto st0;
st1749:
	if ( ++p == pe )
		goto _test_eof1749;
case 1749:
	if ( (*p) == 114 )
		goto tr1900;
	goto st0;
st1750:
	if ( ++p == pe )
		goto _test_eof1750;
case 1750:
	if ( (*p) == 105 )
		goto st1751;
	goto st0;
st1751:
	if ( ++p == pe )
		goto _test_eof1751;
case 1751:
	if ( (*p) == 107 )
		goto st1752;
	goto st0;
st1752:
	if ( ++p == pe )
		goto _test_eof1752;
case 1752:
	if ( (*p) == 105 )
		goto tr1903;
	goto st0;
st1753:
	if ( ++p == pe )
		goto _test_eof1753;
case 1753:
	if ( (*p) == 116 )
		goto st1754;
	goto st0;
st1754:
	if ( ++p == pe )
		goto _test_eof1754;
case 1754:
	switch( (*p) ) {
		case 98: goto st1755;
		case 114: goto st1773;
	}
	goto st0;
st1755:
	if ( ++p == pe )
		goto _test_eof1755;
case 1755:
	if ( (*p) == 97 )
		goto st1756;
	goto st0;
st1756:
	if ( ++p == pe )
		goto _test_eof1756;
case 1756:
	if ( (*p) == 110 )
		goto st1757;
	goto st0;
st1757:
	if ( ++p == pe )
		goto _test_eof1757;
case 1757:
	if ( (*p) == 122 )
		goto st1758;
	goto st0;
st1758:
	if ( ++p == pe )
		goto _test_eof1758;
case 1758:
	if ( (*p) == 101 )
		goto st1759;
	goto st0;
st1759:
	if ( ++p == pe )
		goto _test_eof1759;
case 1759:
	if ( (*p) == 110 )
		goto st1760;
	goto st0;
st1760:
	if ( ++p == pe )
		goto _test_eof1760;
case 1760:
	if ( (*p) == 105 )
		goto st1761;
	goto st0;
st1761:
	if ( ++p == pe )
		goto _test_eof1761;
case 1761:
	if ( (*p) == 115 )
		goto st1762;
	goto st0;
st1762:
	if ( ++p == pe )
		goto _test_eof1762;
case 1762:
	if ( (*p) == 105 )
		goto st1763;
	goto st0;
st1763:
	if ( ++p == pe )
		goto _test_eof1763;
case 1763:
	if ( (*p) == 110 )
		goto st1764;
	goto st0;
st1764:
	if ( ++p == pe )
		goto _test_eof1764;
case 1764:
	if ( (*p) == 98 )
		goto st1765;
	goto st0;
st1765:
	if ( ++p == pe )
		goto _test_eof1765;
case 1765:
	if ( (*p) == 105 )
		goto st1766;
	goto st0;
st1766:
	if ( ++p == pe )
		goto _test_eof1766;
case 1766:
	if ( (*p) == 118 )
		goto st1767;
	goto st0;
st1767:
	if ( ++p == pe )
		goto _test_eof1767;
case 1767:
	if ( (*p) == 105 )
		goto st1768;
	goto st0;
st1768:
	if ( ++p == pe )
		goto _test_eof1768;
case 1768:
	if ( (*p) == 110 )
		goto st1769;
	goto st0;
st1769:
	if ( ++p == pe )
		goto _test_eof1769;
case 1769:
	if ( (*p) == 112 )
		goto st1770;
	goto st0;
st1770:
	if ( ++p == pe )
		goto _test_eof1770;
case 1770:
	if ( (*p) == 117 )
		goto st1771;
	goto st0;
st1771:
	if ( ++p == pe )
		goto _test_eof1771;
case 1771:
	if ( (*p) == 115 )
		goto st1772;
	goto st0;
st1772:
	if ( ++p == pe )
		goto _test_eof1772;
case 1772:
	if ( (*p) == 116 )
		goto tr1924;
	goto st0;
st1773:
	if ( ++p == pe )
		goto _test_eof1773;
case 1773:
	if ( (*p) == 111 )
		goto st1774;
	goto st0;
st1774:
	if ( ++p == pe )
		goto _test_eof1774;
case 1774:
	if ( (*p) == 107 )
		goto st1775;
	goto st0;
st1775:
	if ( ++p == pe )
		goto _test_eof1775;
case 1775:
	if ( (*p) == 97 )
		goto st1776;
	goto st0;
st1776:
	if ( ++p == pe )
		goto _test_eof1776;
case 1776:
	if ( (*p) == 116 )
		goto st1777;
	goto st0;
st1777:
	if ( ++p == pe )
		goto _test_eof1777;
case 1777:
	if ( (*p) == 101 )
		goto st1778;
	goto st0;
st1778:
	if ( ++p == pe )
		goto _test_eof1778;
case 1778:
	if ( (*p) == 110 )
		goto st1779;
	goto st0;
st1779:
	if ( ++p == pe )
		goto _test_eof1779;
case 1779:
	if ( (*p) == 102 )
		goto st1780;
	goto st0;
st1780:
	if ( ++p == pe )
		goto _test_eof1780;
case 1780:
	if ( (*p) == 105 )
		goto st1781;
	goto st0;
st1781:
	if ( ++p == pe )
		goto _test_eof1781;
case 1781:
	if ( (*p) == 110 )
		goto st1782;
	goto st0;
st1782:
	if ( ++p == pe )
		goto _test_eof1782;
case 1782:
	if ( (*p) == 103 )
		goto st1783;
	goto st0;
st1783:
	if ( ++p == pe )
		goto _test_eof1783;
case 1783:
	if ( (*p) == 97 )
		goto st1784;
	goto st0;
st1784:
	if ( ++p == pe )
		goto _test_eof1784;
case 1784:
	if ( (*p) == 122 )
		goto st1785;
	goto st0;
st1785:
	if ( ++p == pe )
		goto _test_eof1785;
case 1785:
	if ( (*p) == 105 )
		goto tr1937;
	goto st0;
st1786:
	if ( ++p == pe )
		goto _test_eof1786;
case 1786:
	switch( (*p) ) {
		case 103: goto st1787;
		case 110: goto st1796;
		case 115: goto st1805;
	}
	goto st0;
st1787:
	if ( ++p == pe )
		goto _test_eof1787;
case 1787:
	if ( (*p) == 105 )
		goto st1788;
	goto st0;
st1788:
	if ( ++p == pe )
		goto _test_eof1788;
case 1788:
	if ( (*p) == 115 )
		goto st1789;
	goto st0;
st1789:
	if ( ++p == pe )
		goto _test_eof1789;
case 1789:
	if ( (*p) == 116 )
		goto st1790;
	goto st0;
st1790:
	if ( ++p == pe )
		goto _test_eof1790;
case 1790:
	if ( (*p) == 98 )
		goto st1791;
	goto st0;
st1791:
	if ( ++p == pe )
		goto _test_eof1791;
case 1791:
	if ( (*p) == 101 )
		goto st1792;
	goto st0;
st1792:
	if ( ++p == pe )
		goto _test_eof1792;
case 1792:
	if ( (*p) == 114 )
		goto st1793;
	goto st0;
st1793:
	if ( ++p == pe )
		goto _test_eof1793;
case 1793:
	if ( (*p) == 114 )
		goto st1794;
	goto st0;
st1794:
	if ( ++p == pe )
		goto _test_eof1794;
case 1794:
	if ( (*p) == 111 )
		goto st1795;
	goto st0;
st1795:
	if ( ++p == pe )
		goto _test_eof1795;
case 1795:
	if ( (*p) == 110 )
		goto tr1949;
	goto st0;
st1796:
	if ( ++p == pe )
		goto _test_eof1796;
case 1796:
	if ( (*p) == 115 )
		goto st1797;
	goto st0;
st1797:
	if ( ++p == pe )
		goto _test_eof1797;
case 1797:
	if ( (*p) == 111 )
		goto st1798;
	goto st0;
st1798:
	if ( ++p == pe )
		goto _test_eof1798;
case 1798:
	if ( (*p) == 108 )
		goto st1799;
	goto st0;
st1799:
	if ( ++p == pe )
		goto _test_eof1799;
case 1799:
	if ( (*p) == 117 )
		goto st1800;
	goto st0;
st1800:
	if ( ++p == pe )
		goto _test_eof1800;
case 1800:
	if ( (*p) == 103 )
		goto st1801;
	goto st0;
st1801:
	if ( ++p == pe )
		goto _test_eof1801;
case 1801:
	if ( (*p) == 101 )
		goto st1802;
	goto st0;
st1802:
	if ( ++p == pe )
		goto _test_eof1802;
case 1802:
	if ( (*p) == 110 )
		goto st1803;
	goto st0;
st1803:
	if ( ++p == pe )
		goto _test_eof1803;
case 1803:
	if ( (*p) == 103 )
		goto st1804;
	goto st0;
st1804:
	if ( ++p == pe )
		goto _test_eof1804;
case 1804:
	if ( (*p) == 117 )
		goto tr1958;
	goto st0;
st1805:
	if ( ++p == pe )
		goto _test_eof1805;
case 1805:
	if ( (*p) == 116 )
		goto st1806;
	goto st0;
st1806:
	if ( ++p == pe )
		goto _test_eof1806;
case 1806:
	if ( (*p) == 107 )
		goto st1807;
	goto st0;
st1807:
	if ( ++p == pe )
		goto _test_eof1807;
case 1807:
	if ( (*p) == 97 )
		goto st1808;
	goto st0;
st1808:
	if ( ++p == pe )
		goto _test_eof1808;
case 1808:
	if ( (*p) == 110 )
		goto st1809;
	goto st0;
st1809:
	if ( ++p == pe )
		goto _test_eof1809;
case 1809:
	if ( (*p) == 116 )
		goto st1810;
	goto st0;
st1810:
	if ( ++p == pe )
		goto _test_eof1810;
case 1810:
	if ( (*p) == 111 )
		goto st1811;
	goto st0;
st1811:
	if ( ++p == pe )
		goto _test_eof1811;
case 1811:
	if ( (*p) == 114 )
		goto st1812;
	goto st0;
st1812:
	if ( ++p == pe )
		goto _test_eof1812;
case 1812:
	if ( (*p) == 100 )
		goto st1813;
	goto st0;
st1813:
	if ( ++p == pe )
		goto _test_eof1813;
case 1813:
	if ( (*p) == 105 )
		goto st1814;
	goto st0;
st1814:
	if ( ++p == pe )
		goto _test_eof1814;
case 1814:
	if ( (*p) == 114 )
		goto st1815;
	goto st0;
st1815:
	if ( ++p == pe )
		goto _test_eof1815;
case 1815:
	if ( (*p) == 100 )
		goto st1816;
	goto st0;
st1816:
	if ( ++p == pe )
		goto _test_eof1816;
case 1816:
	if ( (*p) == 105 )
		goto st1817;
	goto st0;
st1817:
	if ( ++p == pe )
		goto _test_eof1817;
case 1817:
	if ( (*p) == 110 )
		goto st1818;
	goto st0;
st1818:
	if ( ++p == pe )
		goto _test_eof1818;
case 1818:
	if ( (*p) == 102 )
		goto st1819;
	goto st0;
st1819:
	if ( ++p == pe )
		goto _test_eof1819;
case 1819:
	if ( (*p) == 111 )
		goto st1820;
	goto st0;
st1820:
	if ( ++p == pe )
		goto _test_eof1820;
case 1820:
	if ( (*p) == 114 )
		goto st1821;
	goto st0;
st1821:
	if ( ++p == pe )
		goto _test_eof1821;
case 1821:
	if ( (*p) == 110 )
		goto st1822;
	goto st0;
st1822:
	if ( ++p == pe )
		goto _test_eof1822;
case 1822:
	if ( (*p) == 97 )
		goto tr1976;
	goto st0;
st1823:
	if ( ++p == pe )
		goto _test_eof1823;
case 1823:
	switch( (*p) ) {
		case 102: goto st1824;
		case 110: goto st1840;
		case 114: goto st1871;
	}
	goto st0;
st1824:
	if ( ++p == pe )
		goto _test_eof1824;
case 1824:
	if ( (*p) == 97 )
		goto st1825;
	goto st0;
st1825:
	if ( ++p == pe )
		goto _test_eof1825;
case 1825:
	if ( (*p) == 109 )
		goto st1826;
	goto st0;
st1826:
	if ( ++p == pe )
		goto _test_eof1826;
case 1826:
	if ( (*p) == 97 )
		goto st1827;
	goto st0;
st1827:
	if ( ++p == pe )
		goto _test_eof1827;
case 1827:
	if ( (*p) == 108 )
		goto st1828;
	goto st0;
st1828:
	if ( ++p == pe )
		goto _test_eof1828;
case 1828:
	if ( (*p) == 111 )
		goto st1829;
	goto st0;
st1829:
	if ( ++p == pe )
		goto _test_eof1829;
case 1829:
	if ( (*p) == 115 )
		goto st1830;
	goto st0;
st1830:
	if ( ++p == pe )
		goto _test_eof1830;
case 1830:
	if ( (*p) == 116 )
		goto st1831;
	goto st0;
st1831:
	if ( ++p == pe )
		goto _test_eof1831;
case 1831:
	if ( (*p) == 118 )
		goto st1832;
	goto st0;
st1832:
	if ( ++p == pe )
		goto _test_eof1832;
case 1832:
	if ( (*p) == 105 )
		goto st1833;
	goto st0;
st1833:
	if ( ++p == pe )
		goto _test_eof1833;
case 1833:
	if ( (*p) == 115 )
		goto st1834;
	goto st0;
st1834:
	if ( ++p == pe )
		goto _test_eof1834;
case 1834:
	if ( (*p) == 116 )
		goto st1835;
	goto st0;
st1835:
	if ( ++p == pe )
		goto _test_eof1835;
case 1835:
	if ( (*p) == 103 )
		goto st1836;
	goto st0;
st1836:
	if ( ++p == pe )
		goto _test_eof1836;
case 1836:
	if ( (*p) == 97 )
		goto st1837;
	goto st0;
st1837:
	if ( ++p == pe )
		goto _test_eof1837;
case 1837:
	if ( (*p) == 114 )
		goto st1838;
	goto st0;
st1838:
	if ( ++p == pe )
		goto _test_eof1838;
case 1838:
	if ( (*p) == 114 )
		goto st1839;
	goto st0;
st1839:
	if ( ++p == pe )
		goto _test_eof1839;
case 1839:
	if ( (*p) == 97 )
		goto tr1995;
	goto st0;
st1840:
	if ( ++p == pe )
		goto _test_eof1840;
case 1840:
	switch( (*p) ) {
		case 97: goto st1841;
		case 116: goto st1845;
		case 122: goto st1859;
	}
	goto st0;
st1841:
	if ( ++p == pe )
		goto _test_eof1841;
case 1841:
	if ( (*p) == 103 )
		goto st1842;
	goto st0;
st1842:
	if ( ++p == pe )
		goto _test_eof1842;
case 1842:
	if ( (*p) == 111 )
		goto st1843;
	goto st0;
st1843:
	if ( ++p == pe )
		goto _test_eof1843;
case 1843:
	if ( (*p) == 98 )
		goto st1844;
	goto st0;
st1844:
	if ( ++p == pe )
		goto _test_eof1844;
case 1844:
	if ( (*p) == 111 )
		goto tr2002;
	goto st0;
st1845:
	if ( ++p == pe )
		goto _test_eof1845;
case 1845:
	if ( (*p) == 101 )
		goto st1846;
	goto st0;
st1846:
	if ( ++p == pe )
		goto _test_eof1846;
case 1846:
	if ( (*p) == 102 )
		goto st1847;
	goto st0;
st1847:
	if ( ++p == pe )
		goto _test_eof1847;
case 1847:
	if ( (*p) == 117 )
		goto st1848;
	goto st0;
st1848:
	if ( ++p == pe )
		goto _test_eof1848;
case 1848:
	if ( (*p) == 109 )
		goto st1849;
	goto st0;
st1849:
	if ( ++p == pe )
		goto _test_eof1849;
case 1849:
	if ( (*p) == 101 )
		goto st1850;
	goto st0;
st1850:
	if ( ++p == pe )
		goto _test_eof1850;
case 1850:
	if ( (*p) == 112 )
		goto st1851;
	goto st0;
st1851:
	if ( ++p == pe )
		goto _test_eof1851;
case 1851:
	if ( (*p) == 111 )
		goto st1852;
	goto st0;
st1852:
	if ( ++p == pe )
		goto _test_eof1852;
case 1852:
	if ( (*p) == 98 )
		goto st1853;
	goto st0;
st1853:
	if ( ++p == pe )
		goto _test_eof1853;
case 1853:
	if ( (*p) == 105 )
		goto st1854;
	goto st0;
st1854:
	if ( ++p == pe )
		goto _test_eof1854;
case 1854:
	if ( (*p) == 114 )
		goto st1855;
	goto st0;
st1855:
	if ( ++p == pe )
		goto _test_eof1855;
case 1855:
	if ( (*p) == 103 )
		goto st1856;
	goto st0;
st1856:
	if ( ++p == pe )
		goto _test_eof1856;
case 1856:
	if ( (*p) == 101 )
		goto st1857;
	goto st0;
st1857:
	if ( ++p == pe )
		goto _test_eof1857;
case 1857:
	if ( (*p) == 115 )
		goto st1858;
	goto st0;
st1858:
	if ( ++p == pe )
		goto _test_eof1858;
case 1858:
	if ( (*p) == 116 )
		goto tr2016;
	goto st0;
st1859:
	if ( ++p == pe )
		goto _test_eof1859;
case 1859:
	if ( (*p) == 117 )
		goto st1860;
	goto st0;
st1860:
	if ( ++p == pe )
		goto _test_eof1860;
case 1860:
	if ( (*p) == 108 )
		goto st1861;
	goto st0;
st1861:
	if ( ++p == pe )
		goto _test_eof1861;
case 1861:
	if ( (*p) == 117 )
		goto st1862;
	goto st0;
st1862:
	if ( ++p == pe )
		goto _test_eof1862;
case 1862:
	if ( (*p) == 110 )
		goto st1863;
	goto st0;
st1863:
	if ( ++p == pe )
		goto _test_eof1863;
case 1863:
	if ( (*p) == 98 )
		goto st1864;
	goto st0;
st1864:
	if ( ++p == pe )
		goto _test_eof1864;
case 1864:
	if ( (*p) == 111 )
		goto st1865;
	goto st0;
st1865:
	if ( ++p == pe )
		goto _test_eof1865;
case 1865:
	if ( (*p) == 110 )
		goto st1866;
	goto st0;
st1866:
	if ( ++p == pe )
		goto _test_eof1866;
case 1866:
	if ( (*p) == 108 )
		goto st1867;
	goto st0;
st1867:
	if ( ++p == pe )
		goto _test_eof1867;
case 1867:
	if ( (*p) == 101 )
		goto st1868;
	goto st0;
st1868:
	if ( ++p == pe )
		goto _test_eof1868;
case 1868:
	if ( (*p) == 114 )
		goto st1869;
	goto st0;
st1869:
	if ( ++p == pe )
		goto _test_eof1869;
case 1869:
	if ( (*p) == 98 )
		goto st1870;
	goto st0;
st1870:
	if ( ++p == pe )
		goto _test_eof1870;
case 1870:
	if ( (*p) == 97 )
		goto tr2028;
	goto st0;
st1871:
	if ( ++p == pe )
		goto _test_eof1871;
case 1871:
	if ( (*p) == 112 )
		goto st1872;
	goto st0;
st1872:
	if ( ++p == pe )
		goto _test_eof1872;
case 1872:
	if ( (*p) == 117 )
		goto st1873;
	goto st0;
st1873:
	if ( ++p == pe )
		goto _test_eof1873;
case 1873:
	if ( (*p) == 114 )
		goto st1874;
	goto st0;
st1874:
	if ( ++p == pe )
		goto _test_eof1874;
case 1874:
	if ( (*p) == 118 )
		goto st1875;
	goto st0;
st1875:
	if ( ++p == pe )
		goto _test_eof1875;
case 1875:
	if ( (*p) == 101 )
		goto st1876;
	goto st0;
st1876:
	if ( ++p == pe )
		goto _test_eof1876;
case 1876:
	if ( (*p) == 110 )
		goto tr2034;
	goto st0;
st1877:
	if ( ++p == pe )
		goto _test_eof1877;
case 1877:
	switch( (*p) ) {
		case 110: goto st1878;
		case 114: goto st1909;
		case 115: goto st1924;
	}
	goto st0;
st1878:
	if ( ++p == pe )
		goto _test_eof1878;
case 1878:
	switch( (*p) ) {
		case 102: goto st1879;
		case 109: goto st1889;
		case 116: goto st1897;
	}
	goto st0;
st1879:
	if ( ++p == pe )
		goto _test_eof1879;
case 1879:
	if ( (*p) == 117 )
		goto st1880;
	goto st0;
st1880:
	if ( ++p == pe )
		goto _test_eof1880;
case 1880:
	if ( (*p) == 115 )
		goto st1881;
	goto st0;
st1881:
	if ( ++p == pe )
		goto _test_eof1881;
case 1881:
	if ( (*p) == 116 )
		goto st1882;
	goto st0;
st1882:
	if ( ++p == pe )
		goto _test_eof1882;
case 1882:
	if ( (*p) == 102 )
		goto st1883;
	goto st0;
st1883:
	if ( ++p == pe )
		goto _test_eof1883;
case 1883:
	if ( (*p) == 97 )
		goto st1884;
	goto st0;
st1884:
	if ( ++p == pe )
		goto _test_eof1884;
case 1884:
	if ( (*p) == 98 )
		goto st1885;
	goto st0;
st1885:
	if ( ++p == pe )
		goto _test_eof1885;
case 1885:
	if ( (*p) == 105 )
		goto st1886;
	goto st0;
st1886:
	if ( ++p == pe )
		goto _test_eof1886;
case 1886:
	if ( (*p) == 100 )
		goto st1887;
	goto st0;
st1887:
	if ( ++p == pe )
		goto _test_eof1887;
case 1887:
	if ( (*p) == 101 )
		goto st1888;
	goto st0;
st1888:
	if ( ++p == pe )
		goto _test_eof1888;
case 1888:
	if ( (*p) == 110 )
		goto tr2050;
	goto st0;
st1889:
	if ( ++p == pe )
		goto _test_eof1889;
case 1889:
	if ( (*p) == 117 )
		goto st1890;
	goto st0;
st1890:
	if ( ++p == pe )
		goto _test_eof1890;
case 1890:
	if ( (*p) == 114 )
		goto st1891;
	goto st0;
st1891:
	if ( ++p == pe )
		goto _test_eof1891;
case 1891:
	if ( (*p) == 122 )
		goto st1892;
	goto st0;
st1892:
	if ( ++p == pe )
		goto _test_eof1892;
case 1892:
	if ( (*p) == 97 )
		goto st1893;
	goto st0;
st1893:
	if ( ++p == pe )
		goto _test_eof1893;
case 1893:
	if ( (*p) == 114 )
		goto st1894;
	goto st0;
st1894:
	if ( ++p == pe )
		goto _test_eof1894;
case 1894:
	if ( (*p) == 105 )
		goto st1895;
	goto st0;
st1895:
	if ( ++p == pe )
		goto _test_eof1895;
case 1895:
	if ( (*p) == 108 )
		goto st1896;
	goto st0;
st1896:
	if ( ++p == pe )
		goto _test_eof1896;
case 1896:
	if ( (*p) == 117 )
		goto tr2058;
	goto st0;
st1897:
	if ( ++p == pe )
		goto _test_eof1897;
case 1897:
	if ( (*p) == 111 )
		goto st1898;
	goto st0;
st1898:
	if ( ++p == pe )
		goto _test_eof1898;
case 1898:
	if ( (*p) == 114 )
		goto st1899;
	goto st0;
st1899:
	if ( ++p == pe )
		goto _test_eof1899;
case 1899:
	if ( (*p) == 98 )
		goto st1900;
	goto st0;
st1900:
	if ( ++p == pe )
		goto _test_eof1900;
case 1900:
	if ( (*p) == 105 )
		goto st1901;
	goto st0;
st1901:
	if ( ++p == pe )
		goto _test_eof1901;
case 1901:
	if ( (*p) == 110 )
		goto st1902;
	goto st0;
st1902:
	if ( ++p == pe )
		goto _test_eof1902;
case 1902:
	if ( (*p) == 122 )
		goto st1903;
	goto st0;
st1903:
	if ( ++p == pe )
		goto _test_eof1903;
case 1903:
	if ( (*p) == 117 )
		goto st1904;
	goto st0;
st1904:
	if ( ++p == pe )
		goto _test_eof1904;
case 1904:
	if ( (*p) == 110 )
		goto st1905;
	goto st0;
st1905:
	if ( ++p == pe )
		goto _test_eof1905;
case 1905:
	if ( (*p) == 98 )
		goto st1906;
	goto st0;
st1906:
	if ( ++p == pe )
		goto _test_eof1906;
case 1906:
	if ( (*p) == 105 )
		goto st1907;
	goto st0;
st1907:
	if ( ++p == pe )
		goto _test_eof1907;
case 1907:
	if ( (*p) == 110 )
		goto st1908;
	goto st0;
st1908:
	if ( ++p == pe )
		goto _test_eof1908;
case 1908:
	if ( (*p) == 111 )
		goto tr2070;
	goto st0;
st1909:
	if ( ++p == pe )
		goto _test_eof1909;
case 1909:
	if ( (*p) == 118 )
		goto st1910;
	goto st0;
st1910:
	if ( ++p == pe )
		goto _test_eof1910;
case 1910:
	if ( (*p) == 105 )
		goto st1911;
	goto st0;
st1911:
	if ( ++p == pe )
		goto _test_eof1911;
case 1911:
	if ( (*p) == 110 )
		goto st1912;
	goto st0;
st1912:
	if ( ++p == pe )
		goto _test_eof1912;
case 1912:
	if ( (*p) == 108 )
		goto st1913;
	goto st0;
st1913:
	if ( ++p == pe )
		goto _test_eof1913;
case 1913:
	if ( (*p) == 97 )
		goto st1914;
	goto st0;
st1914:
	if ( ++p == pe )
		goto _test_eof1914;
case 1914:
	if ( (*p) == 108 )
		goto st1915;
	goto st0;
st1915:
	if ( ++p == pe )
		goto _test_eof1915;
case 1915:
	if ( (*p) == 117 )
		goto st1916;
	goto st0;
st1916:
	if ( ++p == pe )
		goto _test_eof1916;
case 1916:
	if ( (*p) == 109 )
		goto st1917;
	goto st0;
st1917:
	if ( ++p == pe )
		goto _test_eof1917;
case 1917:
	if ( (*p) == 105 )
		goto st1918;
	goto st0;
st1918:
	if ( ++p == pe )
		goto _test_eof1918;
case 1918:
	if ( (*p) == 110 )
		goto st1919;
	goto st0;
st1919:
	if ( ++p == pe )
		goto _test_eof1919;
case 1919:
	if ( (*p) == 114 )
		goto st1920;
	goto st0;
st1920:
	if ( ++p == pe )
		goto _test_eof1920;
case 1920:
	if ( (*p) == 97 )
		goto st1921;
	goto st0;
st1921:
	if ( ++p == pe )
		goto _test_eof1921;
case 1921:
	if ( (*p) == 114 )
		goto st1922;
	goto st0;
st1922:
	if ( ++p == pe )
		goto _test_eof1922;
case 1922:
	if ( (*p) == 115 )
		goto st1923;
	goto st0;
st1923:
	if ( ++p == pe )
		goto _test_eof1923;
case 1923:
	if ( (*p) == 101 )
		goto tr2085;
	goto st0;
st1924:
	if ( ++p == pe )
		goto _test_eof1924;
case 1924:
	if ( (*p) == 116 )
		goto st1925;
	goto st0;
st1925:
	if ( ++p == pe )
		goto _test_eof1925;
case 1925:
	switch( (*p) ) {
		case 116: goto st1926;
		case 118: goto st1936;
	}
	goto st0;
st1926:
	if ( ++p == pe )
		goto _test_eof1926;
case 1926:
	if ( (*p) == 97 )
		goto st1927;
	goto st0;
st1927:
	if ( ++p == pe )
		goto _test_eof1927;
case 1927:
	if ( (*p) == 110 )
		goto st1928;
	goto st0;
st1928:
	if ( ++p == pe )
		goto _test_eof1928;
case 1928:
	if ( (*p) == 108 )
		goto st1929;
	goto st0;
st1929:
	if ( ++p == pe )
		goto _test_eof1929;
case 1929:
	if ( (*p) == 105 )
		goto st1930;
	goto st0;
st1930:
	if ( ++p == pe )
		goto _test_eof1930;
case 1930:
	if ( (*p) == 107 )
		goto st1931;
	goto st0;
st1931:
	if ( ++p == pe )
		goto _test_eof1931;
case 1931:
	if ( (*p) == 111 )
		goto st1932;
	goto st0;
st1932:
	if ( ++p == pe )
		goto _test_eof1932;
case 1932:
	if ( (*p) == 115 )
		goto st1933;
	goto st0;
st1933:
	if ( ++p == pe )
		goto _test_eof1933;
case 1933:
	if ( (*p) == 116 )
		goto st1934;
	goto st0;
st1934:
	if ( ++p == pe )
		goto _test_eof1934;
case 1934:
	if ( (*p) == 98 )
		goto st1935;
	goto st0;
st1935:
	if ( ++p == pe )
		goto _test_eof1935;
case 1935:
	if ( (*p) == 117 )
		goto tr2098;
	goto st0;
st1936:
	if ( ++p == pe )
		goto _test_eof1936;
case 1936:
	if ( (*p) == 111 )
		goto st1937;
	goto st0;
st1937:
	if ( ++p == pe )
		goto _test_eof1937;
case 1937:
	if ( (*p) == 110 )
		goto st1938;
	goto st0;
st1938:
	if ( ++p == pe )
		goto _test_eof1938;
case 1938:
	if ( (*p) == 98 )
		goto st1939;
	goto st0;
st1939:
	if ( ++p == pe )
		goto _test_eof1939;
case 1939:
	if ( (*p) == 117 )
		goto st1940;
	goto st0;
st1940:
	if ( ++p == pe )
		goto _test_eof1940;
case 1940:
	if ( (*p) == 115 )
		goto st1941;
	goto st0;
st1941:
	if ( ++p == pe )
		goto _test_eof1941;
case 1941:
	if ( (*p) == 116 )
		goto st1942;
	goto st0;
st1942:
	if ( ++p == pe )
		goto _test_eof1942;
case 1942:
	if ( (*p) == 100 )
		goto st1943;
	goto st0;
st1943:
	if ( ++p == pe )
		goto _test_eof1943;
case 1943:
	if ( (*p) == 97 )
		goto st1944;
	goto st0;
st1944:
	if ( ++p == pe )
		goto _test_eof1944;
case 1944:
	if ( (*p) == 102 )
		goto st1945;
	goto st0;
st1945:
	if ( ++p == pe )
		goto _test_eof1945;
case 1945:
	if ( (*p) == 111 )
		goto st1946;
	goto st0;
st1946:
	if ( ++p == pe )
		goto _test_eof1946;
case 1946:
	if ( (*p) == 114 )
		goto st1947;
	goto st0;
st1947:
	if ( ++p == pe )
		goto _test_eof1947;
case 1947:
	if ( (*p) == 98 )
		goto st1948;
	goto st0;
st1948:
	if ( ++p == pe )
		goto _test_eof1948;
case 1948:
	if ( (*p) == 105 )
		goto st1949;
	goto st0;
st1949:
	if ( ++p == pe )
		goto _test_eof1949;
case 1949:
	if ( (*p) == 114 )
		goto tr2112;
	goto st0;
st1950:
	if ( ++p == pe )
		goto _test_eof1950;
case 1950:
	switch( (*p) ) {
		case 110: goto st1951;
		case 114: goto st1967;
		case 115: goto st1976;
	}
	goto st0;
st1951:
	if ( ++p == pe )
		goto _test_eof1951;
case 1951:
	if ( (*p) == 97 )
		goto st1952;
	goto st0;
st1952:
	if ( ++p == pe )
		goto _test_eof1952;
case 1952:
	if ( (*p) == 114 )
		goto st1953;
	goto st0;
st1953:
	if ( ++p == pe )
		goto _test_eof1953;
case 1953:
	if ( (*p) == 109 )
		goto st1954;
	goto st0;
st1954:
	if ( ++p == pe )
		goto _test_eof1954;
case 1954:
	if ( (*p) == 105 )
		goto st1955;
	goto st0;
st1955:
	if ( ++p == pe )
		goto _test_eof1955;
case 1955:
	if ( (*p) == 102 )
		goto st1956;
	goto st0;
st1956:
	if ( ++p == pe )
		goto _test_eof1956;
case 1956:
	if ( (*p) == 111 )
		goto st1957;
	goto st0;
st1957:
	if ( ++p == pe )
		goto _test_eof1957;
case 1957:
	if ( (*p) == 110 )
		goto st1958;
	goto st0;
st1958:
	if ( ++p == pe )
		goto _test_eof1958;
case 1958:
	if ( (*p) == 109 )
		goto st1959;
	goto st0;
st1959:
	if ( ++p == pe )
		goto _test_eof1959;
case 1959:
	if ( (*p) == 105 )
		goto st1960;
	goto st0;
st1960:
	if ( ++p == pe )
		goto _test_eof1960;
case 1960:
	if ( (*p) == 110 )
		goto st1961;
	goto st0;
st1961:
	if ( ++p == pe )
		goto _test_eof1961;
case 1961:
	if ( (*p) == 100 )
		goto st1962;
	goto st0;
st1962:
	if ( ++p == pe )
		goto _test_eof1962;
case 1962:
	if ( (*p) == 111 )
		goto st1963;
	goto st0;
st1963:
	if ( ++p == pe )
		goto _test_eof1963;
case 1963:
	if ( (*p) == 98 )
		goto st1964;
	goto st0;
st1964:
	if ( ++p == pe )
		goto _test_eof1964;
case 1964:
	if ( (*p) == 117 )
		goto st1965;
	goto st0;
st1965:
	if ( ++p == pe )
		goto _test_eof1965;
case 1965:
	if ( (*p) == 115 )
		goto st1966;
	goto st0;
st1966:
	if ( ++p == pe )
		goto _test_eof1966;
case 1966:
	if ( (*p) == 116 )
		goto tr2131;
	goto st0;
st1967:
	if ( ++p == pe )
		goto _test_eof1967;
case 1967:
	switch( (*p) ) {
		case 112: goto st1968;
		case 116: goto st1972;
	}
	goto st0;
st1968:
	if ( ++p == pe )
		goto _test_eof1968;
case 1968:
	if ( (*p) == 105 )
		goto st1969;
	goto st0;
st1969:
	if ( ++p == pe )
		goto _test_eof1969;
case 1969:
	if ( (*p) == 110 )
		goto st1970;
	goto st0;
st1970:
	if ( ++p == pe )
		goto _test_eof1970;
case 1970:
	if ( (*p) == 108 )
		goto st1971;
	goto st0;
st1971:
	if ( ++p == pe )
		goto _test_eof1971;
case 1971:
	if ( (*p) == 101 )
		goto tr2137;
	goto st0;
st1972:
	if ( ++p == pe )
		goto _test_eof1972;
case 1972:
	if ( (*p) == 105 )
		goto st1973;
	goto st0;
st1973:
	if ( ++p == pe )
		goto _test_eof1973;
case 1973:
	if ( (*p) == 110 )
		goto st1974;
	goto st0;
st1974:
	if ( ++p == pe )
		goto _test_eof1974;
case 1974:
	if ( (*p) == 115 )
		goto st1975;
	goto st0;
st1975:
	if ( ++p == pe )
		goto _test_eof1975;
case 1975:
	if ( (*p) == 101 )
		goto tr2141;
	goto st0;
st1976:
	if ( ++p == pe )
		goto _test_eof1976;
case 1976:
	if ( (*p) == 116 )
		goto st1977;
	goto st0;
st1977:
	if ( ++p == pe )
		goto _test_eof1977;
case 1977:
	if ( (*p) == 118 )
		goto st1978;
	goto st0;
st1978:
	if ( ++p == pe )
		goto _test_eof1978;
case 1978:
	if ( (*p) == 97 )
		goto st1979;
	goto st0;
st1979:
	if ( ++p == pe )
		goto _test_eof1979;
case 1979:
	if ( (*p) == 100 )
		goto st1980;
	goto st0;
st1980:
	if ( ++p == pe )
		goto _test_eof1980;
case 1980:
	if ( (*p) == 97 )
		goto st1981;
	goto st0;
st1981:
	if ( ++p == pe )
		goto _test_eof1981;
case 1981:
	if ( (*p) == 114 )
		goto st1982;
	goto st0;
st1982:
	if ( ++p == pe )
		goto _test_eof1982;
case 1982:
	if ( (*p) == 109 )
		goto st1983;
	goto st0;
st1983:
	if ( ++p == pe )
		goto _test_eof1983;
case 1983:
	if ( (*p) == 117 )
		goto st1984;
	goto st0;
st1984:
	if ( ++p == pe )
		goto _test_eof1984;
case 1984:
	if ( (*p) == 115 )
		goto st1985;
	goto st0;
st1985:
	if ( ++p == pe )
		goto _test_eof1985;
case 1985:
	if ( (*p) == 116 )
		goto tr2151;
	goto st0;
st1986:
	if ( ++p == pe )
		goto _test_eof1986;
case 1986:
	switch( (*p) ) {
		case 97: goto st1987;
		case 101: goto st2006;
		case 105: goto st2030;
		case 111: goto st2074;
		case 117: goto st2109;
	}
	goto st0;
st1987:
	if ( ++p == pe )
		goto _test_eof1987;
case 1987:
	switch( (*p) ) {
		case 109: goto st1988;
		case 110: goto st1989;
		case 115: goto st1995;
	}
	goto st0;
st1988:
	if ( ++p == pe )
		goto _test_eof1988;
case 1988:
	if ( (*p) == 105 )
		goto tr2160;
	goto st0;
st1989:
	if ( ++p == pe )
		goto _test_eof1989;
case 1989:
	if ( (*p) == 110 )
		goto st1990;
	goto st0;
st1990:
	if ( ++p == pe )
		goto _test_eof1990;
case 1990:
	if ( (*p) == 111 )
		goto st1991;
	goto st0;
st1991:
	if ( ++p == pe )
		goto _test_eof1991;
case 1991:
	if ( (*p) == 108 )
		goto st1992;
	goto st0;
st1992:
	if ( ++p == pe )
		goto _test_eof1992;
case 1992:
	if ( (*p) == 97 )
		goto st1993;
	goto st0;
st1993:
	if ( ++p == pe )
		goto _test_eof1993;
case 1993:
	if ( (*p) == 115 )
		goto st1994;
	goto st0;
st1994:
	if ( ++p == pe )
		goto _test_eof1994;
case 1994:
	if ( (*p) == 116 )
		goto tr2166;
	goto st0;
st1995:
	if ( ++p == pe )
		goto _test_eof1995;
case 1995:
	if ( (*p) == 116 )
		goto st1996;
	goto st0;
st1996:
	if ( ++p == pe )
		goto _test_eof1996;
case 1996:
	if ( (*p) == 112 )
		goto st1997;
	goto st0;
st1997:
	if ( ++p == pe )
		goto _test_eof1997;
case 1997:
	if ( (*p) == 101 )
		goto st1998;
	goto st0;
st1998:
	if ( ++p == pe )
		goto _test_eof1998;
case 1998:
	if ( (*p) == 115 )
		goto st1999;
	goto st0;
st1999:
	if ( ++p == pe )
		goto _test_eof1999;
case 1999:
	if ( (*p) == 116 )
		goto st2000;
	goto st0;
st2000:
	if ( ++p == pe )
		goto _test_eof2000;
case 2000:
	if ( (*p) == 110 )
		goto st2001;
	goto st0;
st2001:
	if ( ++p == pe )
		goto _test_eof2001;
case 2001:
	if ( (*p) == 105 )
		goto st2002;
	goto st0;
st2002:
	if ( ++p == pe )
		goto _test_eof2002;
case 2002:
	if ( (*p) == 110 )
		goto st2003;
	goto st0;
st2003:
	if ( ++p == pe )
		goto _test_eof2003;
case 2003:
	if ( (*p) == 103 )
		goto st2004;
	goto st0;
st2004:
	if ( ++p == pe )
		goto _test_eof2004;
case 2004:
	if ( (*p) == 111 )
		goto st2005;
	goto st0;
st2005:
	if ( ++p == pe )
		goto _test_eof2005;
case 2005:
	if ( (*p) == 114 )
		goto tr2177;
	goto st0;
st2006:
	if ( ++p == pe )
		goto _test_eof2006;
case 2006:
	switch( (*p) ) {
		case 112: goto st2007;
		case 114: goto st2020;
	}
	goto st0;
st2007:
	if ( ++p == pe )
		goto _test_eof2007;
case 2007:
	if ( (*p) == 105 )
		goto st2008;
	goto st0;
st2008:
	if ( ++p == pe )
		goto _test_eof2008;
case 2008:
	if ( (*p) == 114 )
		goto st2009;
	goto st0;
st2009:
	if ( ++p == pe )
		goto _test_eof2009;
case 2009:
	if ( (*p) == 108 )
		goto st2010;
	goto st0;
st2010:
	if ( ++p == pe )
		goto _test_eof2010;
case 2010:
	if ( (*p) == 111 )
		goto st2011;
	goto st0;
st2011:
	if ( ++p == pe )
		goto _test_eof2011;
case 2011:
	if ( (*p) == 122 )
		goto st2012;
	goto st0;
st2012:
	if ( ++p == pe )
		goto _test_eof2012;
case 2012:
	if ( (*p) == 101 )
		goto st2013;
	goto st0;
st2013:
	if ( ++p == pe )
		goto _test_eof2013;
case 2013:
	if ( (*p) == 115 )
		goto st2014;
	goto st0;
st2014:
	if ( ++p == pe )
		goto _test_eof2014;
case 2014:
	if ( (*p) == 116 )
		goto st2015;
	goto st0;
st2015:
	if ( ++p == pe )
		goto _test_eof2015;
case 2015:
	if ( (*p) == 108 )
		goto st2016;
	goto st0;
st2016:
	if ( ++p == pe )
		goto _test_eof2016;
case 2016:
	if ( (*p) == 105 )
		goto st2017;
	goto st0;
st2017:
	if ( ++p == pe )
		goto _test_eof2017;
case 2017:
	if ( (*p) == 110 )
		goto st2018;
	goto st0;
st2018:
	if ( ++p == pe )
		goto _test_eof2018;
case 2018:
	if ( (*p) == 101 )
		goto st2019;
	goto st0;
st2019:
	if ( ++p == pe )
		goto _test_eof2019;
case 2019:
	if ( (*p) == 110 )
		goto tr2192;
	goto st0;
st2020:
	if ( ++p == pe )
		goto _test_eof2020;
case 2020:
	if ( (*p) == 102 )
		goto st2021;
	goto st0;
st2021:
	if ( ++p == pe )
		goto _test_eof2021;
case 2021:
	switch( (*p) ) {
		case 101: goto st2022;
		case 105: goto st2026;
	}
	goto st0;
st2022:
	if ( ++p == pe )
		goto _test_eof2022;
case 2022:
	if ( (*p) == 110 )
		goto st2023;
	goto st0;
st2023:
	if ( ++p == pe )
		goto _test_eof2023;
case 2023:
	if ( (*p) == 101 )
		goto st2024;
	goto st0;
st2024:
	if ( ++p == pe )
		goto _test_eof2024;
case 2024:
	if ( (*p) == 110 )
		goto st2025;
	goto st0;
st2025:
	if ( ++p == pe )
		goto _test_eof2025;
case 2025:
	if ( (*p) == 111 )
		goto tr2199;
	goto st0;
st2026:
	if ( ++p == pe )
		goto _test_eof2026;
case 2026:
	if ( (*p) == 114 )
		goto st2027;
	goto st0;
st2027:
	if ( ++p == pe )
		goto _test_eof2027;
case 2027:
	if ( (*p) == 116 )
		goto st2028;
	goto st0;
st2028:
	if ( ++p == pe )
		goto _test_eof2028;
case 2028:
	if ( (*p) == 111 )
		goto st2029;
	goto st0;
st2029:
	if ( ++p == pe )
		goto _test_eof2029;
case 2029:
	if ( (*p) == 110 )
		goto tr2203;
	goto st0;
st2030:
	if ( ++p == pe )
		goto _test_eof2030;
case 2030:
	switch( (*p) ) {
		case 107: goto st2031;
		case 108: goto st2042;
		case 110: goto st2059;
		case 115: goto st2063;
	}
	goto st0;
st2031:
	if ( ++p == pe )
		goto _test_eof2031;
case 2031:
	if ( (*p) == 97 )
		goto st2032;
	goto st0;
st2032:
	if ( ++p == pe )
		goto _test_eof2032;
case 2032:
	if ( (*p) == 107 )
		goto st2033;
	goto st0;
st2033:
	if ( ++p == pe )
		goto _test_eof2033;
case 2033:
	if ( (*p) == 117 )
		goto st2034;
	goto st0;
st2034:
	if ( ++p == pe )
		goto _test_eof2034;
case 2034:
	if ( (*p) == 115 )
		goto st2035;
	goto st0;
st2035:
	if ( ++p == pe )
		goto _test_eof2035;
case 2035:
	if ( (*p) == 116 )
		goto st2036;
	goto st0;
st2036:
	if ( ++p == pe )
		goto _test_eof2036;
case 2036:
	if ( (*p) == 107 )
		goto st2037;
	goto st0;
st2037:
	if ( ++p == pe )
		goto _test_eof2037;
case 2037:
	if ( (*p) == 105 )
		goto st2038;
	goto st0;
st2038:
	if ( ++p == pe )
		goto _test_eof2038;
case 2038:
	if ( (*p) == 109 )
		goto st2039;
	goto st0;
st2039:
	if ( ++p == pe )
		goto _test_eof2039;
case 2039:
	if ( (*p) == 97 )
		goto st2040;
	goto st0;
st2040:
	if ( ++p == pe )
		goto _test_eof2040;
case 2040:
	if ( (*p) == 115 )
		goto st2041;
	goto st0;
st2041:
	if ( ++p == pe )
		goto _test_eof2041;
case 2041:
	if ( (*p) == 116 )
		goto tr2218;
	goto st0;
st2042:
	if ( ++p == pe )
		goto _test_eof2042;
case 2042:
	if ( (*p) == 97 )
		goto st2043;
	goto st0;
st2043:
	if ( ++p == pe )
		goto _test_eof2043;
case 2043:
	if ( (*p) == 98 )
		goto st2044;
	goto st0;
st2044:
	if ( ++p == pe )
		goto _test_eof2044;
case 2044:
	if ( (*p) == 105 )
		goto st2045;
	goto st0;
st2045:
	if ( ++p == pe )
		goto _test_eof2045;
case 2045:
	if ( (*p) == 115 )
		goto st2046;
	goto st0;
st2046:
	if ( ++p == pe )
		goto _test_eof2046;
case 2046:
	if ( (*p) == 116 )
		goto st2047;
	goto st0;
st2047:
	if ( ++p == pe )
		goto _test_eof2047;
case 2047:
	if ( (*p) == 118 )
		goto st2048;
	goto st0;
st2048:
	if ( ++p == pe )
		goto _test_eof2048;
case 2048:
	if ( (*p) == 117 )
		goto st2049;
	goto st0;
st2049:
	if ( ++p == pe )
		goto _test_eof2049;
case 2049:
	if ( (*p) == 114 )
		goto st2050;
	goto st0;
st2050:
	if ( ++p == pe )
		goto _test_eof2050;
case 2050:
	if ( (*p) == 118 )
		goto st2051;
	goto st0;
st2051:
	if ( ++p == pe )
		goto _test_eof2051;
case 2051:
	if ( (*p) == 111 )
		goto st2052;
	goto st0;
st2052:
	if ( ++p == pe )
		goto _test_eof2052;
case 2052:
	if ( (*p) == 114 )
		goto st2053;
	goto st0;
st2053:
	if ( ++p == pe )
		goto _test_eof2053;
case 2053:
	if ( (*p) == 122 )
		goto st2054;
	goto st0;
st2054:
	if ( ++p == pe )
		goto _test_eof2054;
case 2054:
	if ( (*p) == 111 )
		goto st2055;
	goto st0;
st2055:
	if ( ++p == pe )
		goto _test_eof2055;
case 2055:
	if ( (*p) == 98 )
		goto st2056;
	goto st0;
st2056:
	if ( ++p == pe )
		goto _test_eof2056;
case 2056:
	if ( (*p) == 101 )
		goto st2057;
	goto st0;
st2057:
	if ( ++p == pe )
		goto _test_eof2057;
case 2057:
	if ( (*p) == 115 )
		goto st2058;
	goto st0;
st2058:
	if ( ++p == pe )
		goto _test_eof2058;
case 2058:
	if ( (*p) == 116 )
		goto tr2235;
	goto st0;
st2059:
	if ( ++p == pe )
		goto _test_eof2059;
case 2059:
	if ( (*p) == 108 )
		goto st2060;
	goto st0;
st2060:
	if ( ++p == pe )
		goto _test_eof2060;
case 2060:
	if ( (*p) == 101 )
		goto st2061;
	goto st0;
st2061:
	if ( ++p == pe )
		goto _test_eof2061;
case 2061:
	if ( (*p) == 98 )
		goto st2062;
	goto st0;
st2062:
	if ( ++p == pe )
		goto _test_eof2062;
case 2062:
	if ( (*p) == 111 )
		goto tr2239;
	goto st0;
st2063:
	if ( ++p == pe )
		goto _test_eof2063;
case 2063:
	if ( (*p) == 116 )
		goto st2064;
	goto st0;
st2064:
	if ( ++p == pe )
		goto _test_eof2064;
case 2064:
	if ( (*p) == 110 )
		goto st2065;
	goto st0;
st2065:
	if ( ++p == pe )
		goto _test_eof2065;
case 2065:
	if ( (*p) == 105 )
		goto st2066;
	goto st0;
st2066:
	if ( ++p == pe )
		goto _test_eof2066;
case 2066:
	if ( (*p) == 100 )
		goto st2067;
	goto st0;
st2067:
	if ( ++p == pe )
		goto _test_eof2067;
case 2067:
	if ( (*p) == 101 )
		goto st2068;
	goto st0;
st2068:
	if ( ++p == pe )
		goto _test_eof2068;
case 2068:
	if ( (*p) == 114 )
		goto st2069;
	goto st0;
st2069:
	if ( ++p == pe )
		goto _test_eof2069;
case 2069:
	if ( (*p) == 111 )
		goto st2070;
	goto st0;
st2070:
	if ( ++p == pe )
		goto _test_eof2070;
case 2070:
	if ( (*p) == 114 )
		goto st2071;
	goto st0;
st2071:
	if ( ++p == pe )
		goto _test_eof2071;
case 2071:
	if ( (*p) == 118 )
		goto st2072;
	goto st0;
st2072:
	if ( ++p == pe )
		goto _test_eof2072;
case 2072:
	if ( (*p) == 105 )
		goto st2073;
	goto st0;
st2073:
	if ( ++p == pe )
		goto _test_eof2073;
case 2073:
	if ( (*p) == 110 )
		goto tr2250;
	goto st0;
st2074:
	if ( ++p == pe )
		goto _test_eof2074;
case 2074:
	switch( (*p) ) {
		case 110: goto st2075;
		case 114: goto st2101;
	}
	goto st0;
st2075:
	if ( ++p == pe )
		goto _test_eof2075;
case 2075:
	switch( (*p) ) {
		case 112: goto st2076;
		case 118: goto st2091;
	}
	goto st0;
st2076:
	if ( ++p == pe )
		goto _test_eof2076;
case 2076:
	if ( (*p) == 101 )
		goto st2077;
	goto st0;
st2077:
	if ( ++p == pe )
		goto _test_eof2077;
case 2077:
	if ( (*p) == 114 )
		goto st2078;
	goto st0;
st2078:
	if ( ++p == pe )
		goto _test_eof2078;
case 2078:
	if ( (*p) == 98 )
		goto st2079;
	goto st0;
st2079:
	if ( ++p == pe )
		goto _test_eof2079;
case 2079:
	if ( (*p) == 97 )
		goto st2080;
	goto st0;
st2080:
	if ( ++p == pe )
		goto _test_eof2080;
case 2080:
	if ( (*p) == 114 )
		goto st2081;
	goto st0;
st2081:
	if ( ++p == pe )
		goto _test_eof2081;
case 2081:
	if ( (*p) == 114 )
		goto st2082;
	goto st0;
st2082:
	if ( ++p == pe )
		goto _test_eof2082;
case 2082:
	if ( (*p) == 111 )
		goto st2083;
	goto st0;
st2083:
	if ( ++p == pe )
		goto _test_eof2083;
case 2083:
	if ( (*p) == 110 )
		goto st2084;
	goto st0;
st2084:
	if ( ++p == pe )
		goto _test_eof2084;
case 2084:
	if ( (*p) == 108 )
		goto st2085;
	goto st0;
st2085:
	if ( ++p == pe )
		goto _test_eof2085;
case 2085:
	if ( (*p) == 117 )
		goto st2086;
	goto st0;
st2086:
	if ( ++p == pe )
		goto _test_eof2086;
case 2086:
	if ( (*p) == 103 )
		goto st2087;
	goto st0;
st2087:
	if ( ++p == pe )
		goto _test_eof2087;
case 2087:
	if ( (*p) == 105 )
		goto st2088;
	goto st0;
st2088:
	if ( ++p == pe )
		goto _test_eof2088;
case 2088:
	if ( (*p) == 114 )
		goto st2089;
	goto st0;
st2089:
	if ( ++p == pe )
		goto _test_eof2089;
case 2089:
	if ( (*p) == 108 )
		goto st2090;
	goto st0;
st2090:
	if ( ++p == pe )
		goto _test_eof2090;
case 2090:
	if ( (*p) == 111 )
		goto tr2269;
	goto st0;
st2091:
	if ( ++p == pe )
		goto _test_eof2091;
case 2091:
	if ( (*p) == 105 )
		goto st2092;
	goto st0;
st2092:
	if ( ++p == pe )
		goto _test_eof2092;
case 2092:
	if ( (*p) == 115 )
		goto st2093;
	goto st0;
st2093:
	if ( ++p == pe )
		goto _test_eof2093;
case 2093:
	if ( (*p) == 116 )
		goto st2094;
	goto st0;
st2094:
	if ( ++p == pe )
		goto _test_eof2094;
case 2094:
	if ( (*p) == 108 )
		goto st2095;
	goto st0;
st2095:
	if ( ++p == pe )
		goto _test_eof2095;
case 2095:
	if ( (*p) == 117 )
		goto st2096;
	goto st0;
st2096:
	if ( ++p == pe )
		goto _test_eof2096;
case 2096:
	if ( (*p) == 98 )
		goto st2097;
	goto st0;
st2097:
	if ( ++p == pe )
		goto _test_eof2097;
case 2097:
	if ( (*p) == 117 )
		goto st2098;
	goto st0;
st2098:
	if ( ++p == pe )
		goto _test_eof2098;
case 2098:
	if ( (*p) == 110 )
		goto st2099;
	goto st0;
st2099:
	if ( ++p == pe )
		goto _test_eof2099;
case 2099:
	if ( (*p) == 115 )
		goto st2100;
	goto st0;
st2100:
	if ( ++p == pe )
		goto _test_eof2100;
case 2100:
	if ( (*p) == 101 )
		goto tr2279;
	goto st0;
st2101:
	if ( ++p == pe )
		goto _test_eof2101;
case 2101:
	if ( (*p) == 118 )
		goto st2102;
	goto st0;
st2102:
	if ( ++p == pe )
		goto _test_eof2102;
case 2102:
	if ( (*p) == 101 )
		goto st2103;
	goto st0;
st2103:
	if ( ++p == pe )
		goto _test_eof2103;
case 2103:
	if ( (*p) == 115 )
		goto st2104;
	goto st0;
st2104:
	if ( ++p == pe )
		goto _test_eof2104;
case 2104:
	if ( (*p) == 116 )
		goto st2105;
	goto st0;
st2105:
	if ( ++p == pe )
		goto _test_eof2105;
case 2105:
	if ( (*p) == 114 )
		goto st2106;
	goto st0;
st2106:
	if ( ++p == pe )
		goto _test_eof2106;
case 2106:
	if ( (*p) == 111 )
		goto st2107;
	goto st0;
st2107:
	if ( ++p == pe )
		goto _test_eof2107;
case 2107:
	if ( (*p) == 98 )
		goto st2108;
	goto st0;
st2108:
	if ( ++p == pe )
		goto _test_eof2108;
case 2108:
	if ( (*p) == 97 )
		goto tr2287;
	goto st0;
st2109:
	if ( ++p == pe )
		goto _test_eof2109;
case 2109:
	switch( (*p) ) {
		case 110: goto st2110;
		case 116: goto st2136;
	}
	goto st0;
st2110:
	if ( ++p == pe )
		goto _test_eof2110;
case 2110:
	switch( (*p) ) {
		case 110: goto st2111;
		case 112: goto st2121;
		case 115: goto st2135;
	}
	goto st0;
st2111:
	if ( ++p == pe )
		goto _test_eof2111;
case 2111:
	if ( (*p) == 105 )
		goto st2112;
	goto st0;
st2112:
	if ( ++p == pe )
		goto _test_eof2112;
case 2112:
	if ( (*p) == 109 )
		goto st2113;
	goto st0;
st2113:
	if ( ++p == pe )
		goto _test_eof2113;
case 2113:
	if ( (*p) == 105 )
		goto st2114;
	goto st0;
st2114:
	if ( ++p == pe )
		goto _test_eof2114;
case 2114:
	if ( (*p) == 103 )
		goto st2115;
	goto st0;
st2115:
	if ( ++p == pe )
		goto _test_eof2115;
case 2115:
	if ( (*p) == 117 )
		goto st2116;
	goto st0;
st2116:
	if ( ++p == pe )
		goto _test_eof2116;
case 2116:
	if ( (*p) == 103 )
		goto st2117;
	goto st0;
st2117:
	if ( ++p == pe )
		goto _test_eof2117;
case 2117:
	if ( (*p) == 111 )
		goto st2118;
	goto st0;
st2118:
	if ( ++p == pe )
		goto _test_eof2118;
case 2118:
	if ( (*p) == 98 )
		goto st2119;
	goto st0;
st2119:
	if ( ++p == pe )
		goto _test_eof2119;
case 2119:
	if ( (*p) == 105 )
		goto st2120;
	goto st0;
st2120:
	if ( ++p == pe )
		goto _test_eof2120;
case 2120:
	if ( (*p) == 110 )
		goto tr2302;
	goto st0;
st2121:
	if ( ++p == pe )
		goto _test_eof2121;
case 2121:
	if ( (*p) == 97 )
		goto st2122;
	goto st0;
st2122:
	if ( ++p == pe )
		goto _test_eof2122;
case 2122:
	if ( (*p) == 115 )
		goto st2123;
	goto st0;
st2123:
	if ( ++p == pe )
		goto _test_eof2123;
case 2123:
	if ( (*p) == 116 )
		goto st2124;
	goto st0;
st2124:
	if ( ++p == pe )
		goto _test_eof2124;
case 2124:
	if ( (*p) == 107 )
		goto st2125;
	goto st0;
st2125:
	if ( ++p == pe )
		goto _test_eof2125;
case 2125:
	if ( (*p) == 111 )
		goto st2126;
	goto st0;
st2126:
	if ( ++p == pe )
		goto _test_eof2126;
case 2126:
	if ( (*p) == 110 )
		goto st2127;
	goto st0;
st2127:
	if ( ++p == pe )
		goto _test_eof2127;
case 2127:
	if ( (*p) == 110 )
		goto st2128;
	goto st0;
st2128:
	if ( ++p == pe )
		goto _test_eof2128;
case 2128:
	if ( (*p) == 111 )
		goto st2129;
	goto st0;
st2129:
	if ( ++p == pe )
		goto _test_eof2129;
case 2129:
	if ( (*p) == 109 )
		goto st2130;
	goto st0;
st2130:
	if ( ++p == pe )
		goto _test_eof2130;
case 2130:
	if ( (*p) == 97 )
		goto st2131;
	goto st0;
st2131:
	if ( ++p == pe )
		goto _test_eof2131;
case 2131:
	if ( (*p) == 115 )
		goto st2132;
	goto st0;
st2132:
	if ( ++p == pe )
		goto _test_eof2132;
case 2132:
	if ( (*p) == 116 )
		goto st2133;
	goto st0;
st2133:
	if ( ++p == pe )
		goto _test_eof2133;
case 2133:
	if ( (*p) == 118 )
		goto st2134;
	goto st0;
st2134:
	if ( ++p == pe )
		goto _test_eof2134;
case 2134:
	if ( (*p) == 105 )
		goto tr2316;
	goto st0;
st2135:
	if ( ++p == pe )
		goto _test_eof2135;
case 2135:
	if ( (*p) == 105 )
		goto tr2317;
	goto st0;
st2136:
	if ( ++p == pe )
		goto _test_eof2136;
case 2136:
	if ( (*p) == 105 )
		goto st2137;
	goto st0;
st2137:
	if ( ++p == pe )
		goto _test_eof2137;
case 2137:
	if ( (*p) == 114 )
		goto st2138;
	goto st0;
st2138:
	if ( ++p == pe )
		goto _test_eof2138;
case 2138:
	if ( (*p) == 100 )
		goto st2139;
	goto st0;
st2139:
	if ( ++p == pe )
		goto _test_eof2139;
case 2139:
	if ( (*p) == 105 )
		goto st2140;
	goto st0;
st2140:
	if ( ++p == pe )
		goto _test_eof2140;
case 2140:
	if ( (*p) == 115 )
		goto st2141;
	goto st0;
st2141:
	if ( ++p == pe )
		goto _test_eof2141;
case 2141:
	if ( (*p) == 116 )
		goto tr2323;
	goto st0;
st2142:
	if ( ++p == pe )
		goto _test_eof2142;
case 2142:
	switch( (*p) ) {
		case 97: goto st2143;
		case 101: goto st2170;
		case 105: goto st2208;
		case 111: goto st2248;
		case 117: goto st2262;
	}
	goto st0;
st2143:
	if ( ++p == pe )
		goto _test_eof2143;
case 2143:
	switch( (*p) ) {
		case 100: goto st2144;
		case 112: goto st2152;
		case 115: goto st2162;
	}
	goto st0;
st2144:
	if ( ++p == pe )
		goto _test_eof2144;
case 2144:
	if ( (*p) == 97 )
		goto st2145;
	goto st0;
st2145:
	if ( ++p == pe )
		goto _test_eof2145;
case 2145:
	if ( (*p) == 109 )
		goto st2146;
	goto st0;
st2146:
	if ( ++p == pe )
		goto _test_eof2146;
case 2146:
	if ( (*p) == 97 )
		goto st2147;
	goto st0;
st2147:
	if ( ++p == pe )
		goto _test_eof2147;
case 2147:
	if ( (*p) == 110 )
		goto st2148;
	goto st0;
st2148:
	if ( ++p == pe )
		goto _test_eof2148;
case 2148:
	if ( (*p) == 122 )
		goto st2149;
	goto st0;
st2149:
	if ( ++p == pe )
		goto _test_eof2149;
case 2149:
	if ( (*p) == 117 )
		goto st2150;
	goto st0;
st2150:
	if ( ++p == pe )
		goto _test_eof2150;
case 2150:
	if ( (*p) == 115 )
		goto st2151;
	goto st0;
st2151:
	if ( ++p == pe )
		goto _test_eof2151;
case 2151:
	if ( (*p) == 116 )
		goto tr2339;
	goto st0;
st2152:
	if ( ++p == pe )
		goto _test_eof2152;
case 2152:
	if ( (*p) == 101 )
		goto st2153;
	goto st0;
st2153:
	if ( ++p == pe )
		goto _test_eof2153;
case 2153:
	if ( (*p) == 100 )
		goto st2154;
	goto st0;
st2154:
	if ( ++p == pe )
		goto _test_eof2154;
case 2154:
	if ( (*p) == 101 )
		goto st2155;
	goto st0;
st2155:
	if ( ++p == pe )
		goto _test_eof2155;
case 2155:
	if ( (*p) == 115 )
		goto st2156;
	goto st0;
st2156:
	if ( ++p == pe )
		goto _test_eof2156;
case 2156:
	if ( (*p) == 116 )
		goto st2157;
	goto st0;
st2157:
	if ( ++p == pe )
		goto _test_eof2157;
case 2157:
	if ( (*p) == 114 )
		goto st2158;
	goto st0;
st2158:
	if ( ++p == pe )
		goto _test_eof2158;
case 2158:
	if ( (*p) == 97 )
		goto st2159;
	goto st0;
st2159:
	if ( ++p == pe )
		goto _test_eof2159;
case 2159:
	if ( (*p) == 114 )
		goto st2160;
	goto st0;
st2160:
	if ( ++p == pe )
		goto _test_eof2160;
case 2160:
	if ( (*p) == 117 )
		goto st2161;
	goto st0;
st2161:
	if ( ++p == pe )
		goto _test_eof2161;
case 2161:
	if ( (*p) == 110 )
		goto tr2349;
	goto st0;
st2162:
	if ( ++p == pe )
		goto _test_eof2162;
case 2162:
	if ( (*p) == 116 )
		goto st2163;
	goto st0;
st2163:
	if ( ++p == pe )
		goto _test_eof2163;
case 2163:
	if ( (*p) == 103 )
		goto st2164;
	goto st0;
st2164:
	if ( ++p == pe )
		goto _test_eof2164;
case 2164:
	if ( (*p) == 97 )
		goto st2165;
	goto st0;
st2165:
	if ( ++p == pe )
		goto _test_eof2165;
case 2165:
	if ( (*p) == 100 )
		goto st2166;
	goto st0;
st2166:
	if ( ++p == pe )
		goto _test_eof2166;
case 2166:
	if ( (*p) == 117 )
		goto st2167;
	goto st0;
st2167:
	if ( ++p == pe )
		goto _test_eof2167;
case 2167:
	if ( (*p) == 110 )
		goto st2168;
	goto st0;
st2168:
	if ( ++p == pe )
		goto _test_eof2168;
case 2168:
	if ( (*p) == 97 )
		goto st2169;
	goto st0;
st2169:
	if ( ++p == pe )
		goto _test_eof2169;
case 2169:
	if ( (*p) == 110 )
		goto tr2357;
	goto st0;
st2170:
	if ( ++p == pe )
		goto _test_eof2170;
case 2170:
	switch( (*p) ) {
		case 103: goto st2171;
		case 114: goto st2176;
		case 115: goto st2186;
	}
	goto st0;
st2171:
	if ( ++p == pe )
		goto _test_eof2171;
case 2171:
	if ( (*p) == 101 )
		goto st2172;
	goto st0;
st2172:
	if ( ++p == pe )
		goto _test_eof2172;
case 2172:
	if ( (*p) == 110 )
		goto st2173;
	goto st0;
st2173:
	if ( ++p == pe )
		goto _test_eof2173;
case 2173:
	if ( (*p) == 110 )
		goto st2174;
	goto st0;
st2174:
	if ( ++p == pe )
		goto _test_eof2174;
case 2174:
	if ( (*p) == 105 )
		goto st2175;
	goto st0;
st2175:
	if ( ++p == pe )
		goto _test_eof2175;
case 2175:
	if ( (*p) == 114 )
		goto tr2365;
	goto st0;
st2176:
	if ( ++p == pe )
		goto _test_eof2176;
case 2176:
	if ( (*p) == 116 )
		goto st2177;
	goto st0;
st2177:
	if ( ++p == pe )
		goto _test_eof2177;
case 2177:
	if ( (*p) == 101 )
		goto st2178;
	goto st0;
st2178:
	if ( ++p == pe )
		goto _test_eof2178;
case 2178:
	if ( (*p) == 110 )
		goto st2179;
	goto st0;
st2179:
	if ( ++p == pe )
		goto _test_eof2179;
case 2179:
	if ( (*p) == 112 )
		goto st2180;
	goto st0;
st2180:
	if ( ++p == pe )
		goto _test_eof2180;
case 2180:
	if ( (*p) == 101 )
		goto st2181;
	goto st0;
st2181:
	if ( ++p == pe )
		goto _test_eof2181;
case 2181:
	if ( (*p) == 110 )
		goto st2182;
	goto st0;
st2182:
	if ( ++p == pe )
		goto _test_eof2182;
case 2182:
	if ( (*p) == 110 )
		goto st2183;
	goto st0;
st2183:
	if ( ++p == pe )
		goto _test_eof2183;
case 2183:
	if ( (*p) == 117 )
		goto st2184;
	goto st0;
st2184:
	if ( ++p == pe )
		goto _test_eof2184;
case 2184:
	if ( (*p) == 115 )
		goto st2185;
	goto st0;
st2185:
	if ( ++p == pe )
		goto _test_eof2185;
case 2185:
	if ( (*p) == 117 )
		goto tr2375;
	goto st0;
st2186:
	if ( ++p == pe )
		goto _test_eof2186;
case 2186:
	if ( (*p) == 116 )
		goto st2187;
	goto st0;
st2187:
	if ( ++p == pe )
		goto _test_eof2187;
case 2187:
	if ( (*p) == 102 )
		goto st2188;
	goto st0;
st2188:
	if ( ++p == pe )
		goto _test_eof2188;
case 2188:
	if ( (*p) == 101 )
		goto st2189;
	goto st0;
st2189:
	if ( ++p == pe )
		goto _test_eof2189;
case 2189:
	if ( (*p) == 108 )
		goto st2190;
	goto st0;
st2190:
	if ( ++p == pe )
		goto _test_eof2190;
case 2190:
	if ( (*p) == 101 )
		goto st2191;
	goto st0;
st2191:
	if ( ++p == pe )
		goto _test_eof2191;
case 2191:
	if ( (*p) == 110 )
		goto st2192;
	goto st0;
st2192:
	if ( ++p == pe )
		goto _test_eof2192;
case 2192:
	if ( (*p) == 118 )
		goto st2193;
	goto st0;
st2193:
	if ( ++p == pe )
		goto _test_eof2193;
case 2193:
	if ( (*p) == 111 )
		goto st2194;
	goto st0;
st2194:
	if ( ++p == pe )
		goto _test_eof2194;
case 2194:
	if ( (*p) == 115 )
		goto st2195;
	goto st0;
st2195:
	if ( ++p == pe )
		goto _test_eof2195;
case 2195:
	if ( (*p) == 116 )
		goto st2196;
	goto st0;
st2196:
	if ( ++p == pe )
		goto _test_eof2196;
case 2196:
	if ( (*p) == 98 )
		goto st2197;
	goto st0;
st2197:
	if ( ++p == pe )
		goto _test_eof2197;
case 2197:
	if ( (*p) == 117 )
		goto st2198;
	goto st0;
st2198:
	if ( ++p == pe )
		goto _test_eof2198;
case 2198:
	if ( (*p) == 98 )
		goto st2199;
	goto st0;
st2199:
	if ( ++p == pe )
		goto _test_eof2199;
case 2199:
	if ( (*p) == 105 )
		goto st2200;
	goto st0;
st2200:
	if ( ++p == pe )
		goto _test_eof2200;
case 2200:
	if ( (*p) == 110 )
		goto st2201;
	goto st0;
st2201:
	if ( ++p == pe )
		goto _test_eof2201;
case 2201:
	if ( (*p) == 100 )
		goto st2202;
	goto st0;
st2202:
	if ( ++p == pe )
		goto _test_eof2202;
case 2202:
	if ( (*p) == 97 )
		goto st2203;
	goto st0;
st2203:
	if ( ++p == pe )
		goto _test_eof2203;
case 2203:
	if ( (*p) == 114 )
		goto st2204;
	goto st0;
st2204:
	if ( ++p == pe )
		goto _test_eof2204;
case 2204:
	if ( (*p) == 108 )
		goto st2205;
	goto st0;
st2205:
	if ( ++p == pe )
		goto _test_eof2205;
case 2205:
	if ( (*p) == 105 )
		goto st2206;
	goto st0;
st2206:
	if ( ++p == pe )
		goto _test_eof2206;
case 2206:
	if ( (*p) == 115 )
		goto st2207;
	goto st0;
st2207:
	if ( ++p == pe )
		goto _test_eof2207;
case 2207:
	if ( (*p) == 116 )
		goto tr2397;
	goto st0;
st2208:
	if ( ++p == pe )
		goto _test_eof2208;
case 2208:
	switch( (*p) ) {
		case 98: goto st2209;
		case 110: goto st2215;
		case 114: goto st2226;
		case 115: goto st2233;
	}
	goto st0;
st2209:
	if ( ++p == pe )
		goto _test_eof2209;
case 2209:
	if ( (*p) == 117 )
		goto st2210;
	goto st0;
st2210:
	if ( ++p == pe )
		goto _test_eof2210;
case 2210:
	if ( (*p) == 110 )
		goto st2211;
	goto st0;
st2211:
	if ( ++p == pe )
		goto _test_eof2211;
case 2211:
	if ( (*p) == 117 )
		goto st2212;
	goto st0;
st2212:
	if ( ++p == pe )
		goto _test_eof2212;
case 2212:
	if ( (*p) == 98 )
		goto st2213;
	goto st0;
st2213:
	if ( ++p == pe )
		goto _test_eof2213;
case 2213:
	if ( (*p) == 97 )
		goto st2214;
	goto st0;
st2214:
	if ( ++p == pe )
		goto _test_eof2214;
case 2214:
	if ( (*p) == 110 )
		goto tr2407;
	goto st0;
st2215:
	if ( ++p == pe )
		goto _test_eof2215;
case 2215:
	switch( (*p) ) {
		case 112: goto st2216;
		case 115: goto st2224;
	}
	goto st0;
st2216:
	if ( ++p == pe )
		goto _test_eof2216;
case 2216:
	if ( (*p) == 105 )
		goto st2217;
	goto st0;
st2217:
	if ( ++p == pe )
		goto _test_eof2217;
case 2217:
	if ( (*p) == 115 )
		goto st2218;
	goto st0;
st2218:
	if ( ++p == pe )
		goto _test_eof2218;
case 2218:
	if ( (*p) == 105 )
		goto st2219;
	goto st0;
st2219:
	if ( ++p == pe )
		goto _test_eof2219;
case 2219:
	if ( (*p) == 100 )
		goto st2220;
	goto st0;
st2220:
	if ( ++p == pe )
		goto _test_eof2220;
case 2220:
	if ( (*p) == 101 )
		goto st2221;
	goto st0;
st2221:
	if ( ++p == pe )
		goto _test_eof2221;
case 2221:
	if ( (*p) == 110 )
		goto st2222;
	goto st0;
st2222:
	if ( ++p == pe )
		goto _test_eof2222;
case 2222:
	if ( (*p) == 100 )
		goto st2223;
	goto st0;
st2223:
	if ( ++p == pe )
		goto _test_eof2223;
case 2223:
	if ( (*p) == 117 )
		goto tr2417;
	goto st0;
st2224:
	if ( ++p == pe )
		goto _test_eof2224;
case 2224:
	if ( (*p) == 105 )
		goto st2225;
	goto st0;
st2225:
	if ( ++p == pe )
		goto _test_eof2225;
case 2225:
	if ( (*p) == 114 )
		goto tr2419;
	goto st0;
st2226:
	if ( ++p == pe )
		goto _test_eof2226;
case 2226:
	if ( (*p) == 109 )
		goto st2227;
	goto st0;
st2227:
	if ( ++p == pe )
		goto _test_eof2227;
case 2227:
	if ( (*p) == 101 )
		goto st2228;
	goto st0;
st2228:
	if ( ++p == pe )
		goto _test_eof2228;
case 2228:
	if ( (*p) == 110 )
		goto st2229;
	goto st0;
st2229:
	if ( ++p == pe )
		goto _test_eof2229;
case 2229:
	if ( (*p) == 102 )
		goto st2230;
	goto st0;
st2230:
	if ( ++p == pe )
		goto _test_eof2230;
case 2230:
	if ( (*p) == 111 )
		goto st2231;
	goto st0;
st2231:
	if ( ++p == pe )
		goto _test_eof2231;
case 2231:
	if ( (*p) == 100 )
		goto st2232;
	goto st0;
st2232:
	if ( ++p == pe )
		goto _test_eof2232;
case 2232:
	if ( (*p) == 117 )
		goto tr2426;
	goto st0;
st2233:
	if ( ++p == pe )
		goto _test_eof2233;
case 2233:
	if ( (*p) == 116 )
		goto st2234;
	goto st0;
st2234:
	if ( ++p == pe )
		goto _test_eof2234;
case 2234:
	if ( (*p) == 112 )
		goto st2235;
	goto st0;
st2235:
	if ( ++p == pe )
		goto _test_eof2235;
case 2235:
	if ( (*p) == 97 )
		goto st2236;
	goto st0;
st2236:
	if ( ++p == pe )
		goto _test_eof2236;
case 2236:
	if ( (*p) == 110 )
		goto st2237;
	goto st0;
st2237:
	if ( ++p == pe )
		goto _test_eof2237;
case 2237:
	if ( (*p) == 108 )
		goto st2238;
	goto st0;
st2238:
	if ( ++p == pe )
		goto _test_eof2238;
case 2238:
	if ( (*p) == 117 )
		goto st2239;
	goto st0;
st2239:
	if ( ++p == pe )
		goto _test_eof2239;
case 2239:
	if ( (*p) == 115 )
		goto st2240;
	goto st0;
st2240:
	if ( ++p == pe )
		goto _test_eof2240;
case 2240:
	if ( (*p) == 116 )
		goto st2241;
	goto st0;
st2241:
	if ( ++p == pe )
		goto _test_eof2241;
case 2241:
	if ( (*p) == 122 )
		goto st2242;
	goto st0;
st2242:
	if ( ++p == pe )
		goto _test_eof2242;
case 2242:
	if ( (*p) == 111 )
		goto st2243;
	goto st0;
st2243:
	if ( ++p == pe )
		goto _test_eof2243;
case 2243:
	if ( (*p) == 110 )
		goto st2244;
	goto st0;
st2244:
	if ( ++p == pe )
		goto _test_eof2244;
case 2244:
	if ( (*p) == 112 )
		goto st2245;
	goto st0;
st2245:
	if ( ++p == pe )
		goto _test_eof2245;
case 2245:
	if ( (*p) == 111 )
		goto st2246;
	goto st0;
st2246:
	if ( ++p == pe )
		goto _test_eof2246;
case 2246:
	if ( (*p) == 115 )
		goto st2247;
	goto st0;
st2247:
	if ( ++p == pe )
		goto _test_eof2247;
case 2247:
	if ( (*p) == 116 )
		goto tr2441;
	goto st0;
st2248:
	if ( ++p == pe )
		goto _test_eof2248;
case 2248:
	if ( (*p) == 110 )
		goto st2249;
	goto st0;
st2249:
	if ( ++p == pe )
		goto _test_eof2249;
case 2249:
	if ( (*p) == 101 )
		goto st2250;
	goto st0;
st2250:
	if ( ++p == pe )
		goto _test_eof2250;
case 2250:
	if ( (*p) == 115 )
		goto st2251;
	goto st0;
st2251:
	if ( ++p == pe )
		goto _test_eof2251;
case 2251:
	if ( (*p) == 116 )
		goto st2252;
	goto st0;
st2252:
	if ( ++p == pe )
		goto _test_eof2252;
case 2252:
	if ( (*p) == 108 )
		goto st2253;
	goto st0;
st2253:
	if ( ++p == pe )
		goto _test_eof2253;
case 2253:
	if ( (*p) == 117 )
		goto st2254;
	goto st0;
st2254:
	if ( ++p == pe )
		goto _test_eof2254;
case 2254:
	if ( (*p) == 115 )
		goto st2255;
	goto st0;
st2255:
	if ( ++p == pe )
		goto _test_eof2255;
case 2255:
	if ( (*p) == 116 )
		goto st2256;
	goto st0;
st2256:
	if ( ++p == pe )
		goto _test_eof2256;
case 2256:
	if ( (*p) == 103 )
		goto st2257;
	goto st0;
st2257:
	if ( ++p == pe )
		goto _test_eof2257;
case 2257:
	if ( (*p) == 101 )
		goto st2258;
	goto st0;
st2258:
	if ( ++p == pe )
		goto _test_eof2258;
case 2258:
	if ( (*p) == 114 )
		goto st2259;
	goto st0;
st2259:
	if ( ++p == pe )
		goto _test_eof2259;
case 2259:
	if ( (*p) == 100 )
		goto st2260;
	goto st0;
st2260:
	if ( ++p == pe )
		goto _test_eof2260;
case 2260:
	if ( (*p) == 111 )
		goto st2261;
	goto st0;
st2261:
	if ( ++p == pe )
		goto _test_eof2261;
case 2261:
	if ( (*p) == 110 )
		goto tr2455;
	goto st0;
st2262:
	if ( ++p == pe )
		goto _test_eof2262;
case 2262:
	switch( (*p) ) {
		case 110: goto st2263;
		case 114: goto st2269;
		case 116: goto st2277;
		case 118: goto st2285;
	}
	goto st0;
st2263:
	if ( ++p == pe )
		goto _test_eof2263;
case 2263:
	switch( (*p) ) {
		case 102: goto st2264;
		case 115: goto st2265;
	}
	goto st0;
st2264:
	if ( ++p == pe )
		goto _test_eof2264;
case 2264:
	if ( (*p) == 101 )
		goto tr2462;
	goto st0;
st2265:
	if ( ++p == pe )
		goto _test_eof2265;
case 2265:
	if ( (*p) == 97 )
		goto st2266;
	goto st0;
st2266:
	if ( ++p == pe )
		goto _test_eof2266;
case 2266:
	if ( (*p) == 107 )
		goto st2267;
	goto st0;
st2267:
	if ( ++p == pe )
		goto _test_eof2267;
case 2267:
	if ( (*p) == 101 )
		goto st2268;
	goto st0;
st2268:
	if ( ++p == pe )
		goto _test_eof2268;
case 2268:
	if ( (*p) == 110 )
		goto tr2466;
	goto st0;
st2269:
	if ( ++p == pe )
		goto _test_eof2269;
case 2269:
	if ( (*p) == 114 )
		goto st2270;
	goto st0;
st2270:
	if ( ++p == pe )
		goto _test_eof2270;
case 2270:
	if ( (*p) == 111 )
		goto st2271;
	goto st0;
st2271:
	if ( ++p == pe )
		goto _test_eof2271;
case 2271:
	if ( (*p) == 110 )
		goto st2272;
	goto st0;
st2272:
	if ( ++p == pe )
		goto _test_eof2272;
case 2272:
	if ( (*p) == 107 )
		goto st2273;
	goto st0;
st2273:
	if ( ++p == pe )
		goto _test_eof2273;
case 2273:
	if ( (*p) == 101 )
		goto st2274;
	goto st0;
st2274:
	if ( ++p == pe )
		goto _test_eof2274;
case 2274:
	if ( (*p) == 118 )
		goto st2275;
	goto st0;
st2275:
	if ( ++p == pe )
		goto _test_eof2275;
case 2275:
	if ( (*p) == 117 )
		goto st2276;
	goto st0;
st2276:
	if ( ++p == pe )
		goto _test_eof2276;
case 2276:
	if ( (*p) == 110 )
		goto tr2474;
	goto st0;
st2277:
	if ( ++p == pe )
		goto _test_eof2277;
case 2277:
	if ( (*p) == 97 )
		goto st2278;
	goto st0;
st2278:
	if ( ++p == pe )
		goto _test_eof2278;
case 2278:
	if ( (*p) == 110 )
		goto st2279;
	goto st0;
st2279:
	if ( ++p == pe )
		goto _test_eof2279;
case 2279:
	if ( (*p) == 103 )
		goto st2280;
	goto st0;
st2280:
	if ( ++p == pe )
		goto _test_eof2280;
case 2280:
	if ( (*p) == 105 )
		goto st2281;
	goto st0;
st2281:
	if ( ++p == pe )
		goto _test_eof2281;
case 2281:
	if ( (*p) == 114 )
		goto st2282;
	goto st0;
st2282:
	if ( ++p == pe )
		goto _test_eof2282;
case 2282:
	if ( (*p) == 109 )
		goto st2283;
	goto st0;
st2283:
	if ( ++p == pe )
		goto _test_eof2283;
case 2283:
	if ( (*p) == 105 )
		goto st2284;
	goto st0;
st2284:
	if ( ++p == pe )
		goto _test_eof2284;
case 2284:
	if ( (*p) == 110 )
		goto tr2482;
	goto st0;
st2285:
	if ( ++p == pe )
		goto _test_eof2285;
case 2285:
	if ( (*p) == 117 )
		goto st2286;
	goto st0;
st2286:
	if ( ++p == pe )
		goto _test_eof2286;
case 2286:
	if ( (*p) == 110 )
		goto st2287;
	goto st0;
st2287:
	if ( ++p == pe )
		goto _test_eof2287;
case 2287:
	if ( (*p) == 114 )
		goto st2288;
	goto st0;
st2288:
	if ( ++p == pe )
		goto _test_eof2288;
case 2288:
	if ( (*p) == 117 )
		goto st2289;
	goto st0;
st2289:
	if ( ++p == pe )
		goto _test_eof2289;
case 2289:
	if ( (*p) == 115 )
		goto st2290;
	goto st0;
st2290:
	if ( ++p == pe )
		goto _test_eof2290;
case 2290:
	if ( (*p) == 116 )
		goto st2291;
	goto st0;
st2291:
	if ( ++p == pe )
		goto _test_eof2291;
case 2291:
	if ( (*p) == 116 )
		goto st2292;
	goto st0;
st2292:
	if ( ++p == pe )
		goto _test_eof2292;
case 2292:
	if ( (*p) == 105 )
		goto st2293;
	goto st0;
st2293:
	if ( ++p == pe )
		goto _test_eof2293;
case 2293:
	if ( (*p) == 110 )
		goto st2294;
	goto st0;
st2294:
	if ( ++p == pe )
		goto _test_eof2294;
case 2294:
	if ( (*p) == 108 )
		goto st2295;
	goto st0;
st2295:
	if ( ++p == pe )
		goto _test_eof2295;
case 2295:
	if ( (*p) == 117 )
		goto st2296;
	goto st0;
st2296:
	if ( ++p == pe )
		goto _test_eof2296;
case 2296:
	if ( (*p) == 115 )
		goto st2297;
	goto st0;
st2297:
	if ( ++p == pe )
		goto _test_eof2297;
case 2297:
	if ( (*p) == 116 )
		goto st2298;
	goto st0;
st2298:
	if ( ++p == pe )
		goto _test_eof2298;
case 2298:
	if ( (*p) == 98 )
		goto st2299;
	goto st0;
st2299:
	if ( ++p == pe )
		goto _test_eof2299;
case 2299:
	if ( (*p) == 111 )
		goto st2300;
	goto st0;
st2300:
	if ( ++p == pe )
		goto _test_eof2300;
case 2300:
	if ( (*p) == 110 )
		goto tr2498;
	goto st0;
st2301:
	if ( ++p == pe )
		goto _test_eof2301;
case 2301:
	switch( (*p) ) {
		case 97: goto st2302;
		case 101: goto st2327;
		case 105: goto st2366;
		case 111: goto st2403;
		case 117: goto st2456;
	}
	goto st0;
st2302:
	if ( ++p == pe )
		goto _test_eof2302;
case 2302:
	switch( (*p) ) {
		case 110: goto st2303;
		case 115: goto st2312;
		case 122: goto st2322;
	}
	goto st0;
st2303:
	if ( ++p == pe )
		goto _test_eof2303;
case 2303:
	switch( (*p) ) {
		case 102: goto st2304;
		case 114: goto st2311;
	}
	goto st0;
st2304:
	if ( ++p == pe )
		goto _test_eof2304;
case 2304:
	if ( (*p) == 101 )
		goto st2305;
	goto st0;
st2305:
	if ( ++p == pe )
		goto _test_eof2305;
case 2305:
	if ( (*p) == 114 )
		goto st2306;
	goto st0;
st2306:
	if ( ++p == pe )
		goto _test_eof2306;
case 2306:
	if ( (*p) == 97 )
		goto st2307;
	goto st0;
st2307:
	if ( ++p == pe )
		goto _test_eof2307;
case 2307:
	if ( (*p) == 115 )
		goto st2308;
	goto st0;
st2308:
	if ( ++p == pe )
		goto _test_eof2308;
case 2308:
	if ( (*p) == 116 )
		goto st2309;
	goto st0;
st2309:
	if ( ++p == pe )
		goto _test_eof2309;
case 2309:
	if ( (*p) == 122 )
		goto st2310;
	goto st0;
st2310:
	if ( ++p == pe )
		goto _test_eof2310;
case 2310:
	if ( (*p) == 105 )
		goto tr2515;
	goto st0;
st2311:
	if ( ++p == pe )
		goto _test_eof2311;
case 2311:
	if ( (*p) == 97 )
		goto tr2516;
	goto st0;
st2312:
	if ( ++p == pe )
		goto _test_eof2312;
case 2312:
	if ( (*p) == 116 )
		goto st2313;
	goto st0;
st2313:
	if ( ++p == pe )
		goto _test_eof2313;
case 2313:
	if ( (*p) == 108 )
		goto st2314;
	goto st0;
st2314:
	if ( ++p == pe )
		goto _test_eof2314;
case 2314:
	if ( (*p) == 97 )
		goto st2315;
	goto st0;
st2315:
	if ( ++p == pe )
		goto _test_eof2315;
case 2315:
	if ( (*p) == 114 )
		goto st2316;
	goto st0;
st2316:
	if ( ++p == pe )
		goto _test_eof2316;
case 2316:
	if ( (*p) == 110 )
		goto st2317;
	goto st0;
st2317:
	if ( ++p == pe )
		goto _test_eof2317;
case 2317:
	if ( (*p) == 101 )
		goto st2318;
	goto st0;
st2318:
	if ( ++p == pe )
		goto _test_eof2318;
case 2318:
	if ( (*p) == 114 )
		goto st2319;
	goto st0;
st2319:
	if ( ++p == pe )
		goto _test_eof2319;
case 2319:
	if ( (*p) == 122 )
		goto st2320;
	goto st0;
st2320:
	if ( ++p == pe )
		goto _test_eof2320;
case 2320:
	if ( (*p) == 97 )
		goto st2321;
	goto st0;
st2321:
	if ( ++p == pe )
		goto _test_eof2321;
case 2321:
	if ( (*p) == 110 )
		goto tr2526;
	goto st0;
st2322:
	if ( ++p == pe )
		goto _test_eof2322;
case 2322:
	if ( (*p) == 111 )
		goto st2323;
	goto st0;
st2323:
	if ( ++p == pe )
		goto _test_eof2323;
case 2323:
	if ( (*p) == 110 )
		goto st2324;
	goto st0;
st2324:
	if ( ++p == pe )
		goto _test_eof2324;
case 2324:
	if ( (*p) == 110 )
		goto st2325;
	goto st0;
st2325:
	if ( ++p == pe )
		goto _test_eof2325;
case 2325:
	if ( (*p) == 97 )
		goto st2326;
	goto st0;
st2326:
	if ( ++p == pe )
		goto _test_eof2326;
case 2326:
	if ( (*p) == 110 )
		goto tr2531;
	goto st0;
st2327:
	if ( ++p == pe )
		goto _test_eof2327;
case 2327:
	switch( (*p) ) {
		case 110: goto st2328;
		case 115: goto st2339;
	}
	goto st0;
st2328:
	if ( ++p == pe )
		goto _test_eof2328;
case 2328:
	if ( (*p) == 100 )
		goto st2329;
	goto st0;
st2329:
	if ( ++p == pe )
		goto _test_eof2329;
case 2329:
	if ( (*p) == 101 )
		goto st2330;
	goto st0;
st2330:
	if ( ++p == pe )
		goto _test_eof2330;
case 2330:
	if ( (*p) == 102 )
		goto st2331;
	goto st0;
st2331:
	if ( ++p == pe )
		goto _test_eof2331;
case 2331:
	if ( (*p) == 101 )
		goto st2332;
	goto st0;
st2332:
	if ( ++p == pe )
		goto _test_eof2332;
case 2332:
	if ( (*p) == 107 )
		goto st2333;
	goto st0;
st2333:
	if ( ++p == pe )
		goto _test_eof2333;
case 2333:
	if ( (*p) == 105 )
		goto st2334;
	goto st0;
st2334:
	if ( ++p == pe )
		goto _test_eof2334;
case 2334:
	if ( (*p) == 112 )
		goto st2335;
	goto st0;
st2335:
	if ( ++p == pe )
		goto _test_eof2335;
case 2335:
	if ( (*p) == 117 )
		goto st2336;
	goto st0;
st2336:
	if ( ++p == pe )
		goto _test_eof2336;
case 2336:
	if ( (*p) == 100 )
		goto st2337;
	goto st0;
st2337:
	if ( ++p == pe )
		goto _test_eof2337;
case 2337:
	if ( (*p) == 101 )
		goto st2338;
	goto st0;
st2338:
	if ( ++p == pe )
		goto _test_eof2338;
case 2338:
	if ( (*p) == 110 )
		goto tr2544;
	goto st0;
st2339:
	if ( ++p == pe )
		goto _test_eof2339;
case 2339:
	if ( (*p) == 116 )
		goto st2340;
	goto st0;
st2340:
	if ( ++p == pe )
		goto _test_eof2340;
case 2340:
	switch( (*p) ) {
		case 98: goto st2341;
		case 112: goto st2350;
		case 114: goto st2353;
	}
	goto st0;
st2341:
	if ( ++p == pe )
		goto _test_eof2341;
case 2341:
	if ( (*p) == 111 )
		goto st2342;
	goto st0;
st2342:
	if ( ++p == pe )
		goto _test_eof2342;
case 2342:
	if ( (*p) == 110 )
		goto st2343;
	goto st0;
st2343:
	if ( ++p == pe )
		goto _test_eof2343;
case 2343:
	if ( (*p) == 97 )
		goto st2344;
	goto st0;
st2344:
	if ( ++p == pe )
		goto _test_eof2344;
case 2344:
	if ( (*p) == 102 )
		goto st2345;
	goto st0;
st2345:
	if ( ++p == pe )
		goto _test_eof2345;
case 2345:
	if ( (*p) == 101 )
		goto st2346;
	goto st0;
st2346:
	if ( ++p == pe )
		goto _test_eof2346;
case 2346:
	if ( (*p) == 109 )
		goto st2347;
	goto st0;
st2347:
	if ( ++p == pe )
		goto _test_eof2347;
case 2347:
	if ( (*p) == 101 )
		goto st2348;
	goto st0;
st2348:
	if ( ++p == pe )
		goto _test_eof2348;
case 2348:
	if ( (*p) == 107 )
		goto st2349;
	goto st0;
st2349:
	if ( ++p == pe )
		goto _test_eof2349;
case 2349:
	if ( (*p) == 117 )
		goto tr2557;
	goto st0;
st2350:
	if ( ++p == pe )
		goto _test_eof2350;
case 2350:
	if ( (*p) == 111 )
		goto st2351;
	goto st0;
st2351:
	if ( ++p == pe )
		goto _test_eof2351;
case 2351:
	if ( (*p) == 100 )
		goto st2352;
	goto st0;
st2352:
	if ( ++p == pe )
		goto _test_eof2352;
case 2352:
	if ( (*p) == 117 )
		goto tr2560;
	goto st0;
st2353:
	if ( ++p == pe )
		goto _test_eof2353;
case 2353:
	if ( (*p) == 117 )
		goto st2354;
	goto st0;
st2354:
	if ( ++p == pe )
		goto _test_eof2354;
case 2354:
	if ( (*p) == 115 )
		goto st2355;
	goto st0;
st2355:
	if ( ++p == pe )
		goto _test_eof2355;
case 2355:
	if ( (*p) == 116 )
		goto st2356;
	goto st0;
st2356:
	if ( ++p == pe )
		goto _test_eof2356;
case 2356:
	if ( (*p) == 116 )
		goto st2357;
	goto st0;
st2357:
	if ( ++p == pe )
		goto _test_eof2357;
case 2357:
	if ( (*p) == 97 )
		goto st2358;
	goto st0;
st2358:
	if ( ++p == pe )
		goto _test_eof2358;
case 2358:
	if ( (*p) == 115 )
		goto st2359;
	goto st0;
st2359:
	if ( ++p == pe )
		goto _test_eof2359;
case 2359:
	if ( (*p) == 116 )
		goto st2360;
	goto st0;
st2360:
	if ( ++p == pe )
		goto _test_eof2360;
case 2360:
	if ( (*p) == 108 )
		goto st2361;
	goto st0;
st2361:
	if ( ++p == pe )
		goto _test_eof2361;
case 2361:
	if ( (*p) == 111 )
		goto st2362;
	goto st0;
st2362:
	if ( ++p == pe )
		goto _test_eof2362;
case 2362:
	if ( (*p) == 115 )
		goto st2363;
	goto st0;
st2363:
	if ( ++p == pe )
		goto _test_eof2363;
case 2363:
	if ( (*p) == 116 )
		goto st2364;
	goto st0;
st2364:
	if ( ++p == pe )
		goto _test_eof2364;
case 2364:
	if ( (*p) == 118 )
		goto st2365;
	goto st0;
st2365:
	if ( ++p == pe )
		goto _test_eof2365;
case 2365:
	if ( (*p) == 111 )
		goto tr2573;
	goto st0;
st2366:
	if ( ++p == pe )
		goto _test_eof2366;
case 2366:
	switch( (*p) ) {
		case 98: goto st2367;
		case 114: goto st2370;
		case 122: goto st2384;
	}
	goto st0;
st2367:
	if ( ++p == pe )
		goto _test_eof2367;
case 2367:
	if ( (*p) == 117 )
		goto st2368;
	goto st0;
st2368:
	if ( ++p == pe )
		goto _test_eof2368;
case 2368:
	if ( (*p) == 115 )
		goto st2369;
	goto st0;
st2369:
	if ( ++p == pe )
		goto _test_eof2369;
case 2369:
	if ( (*p) == 116 )
		goto tr2579;
	goto st0;
st2370:
	if ( ++p == pe )
		goto _test_eof2370;
case 2370:
	switch( (*p) ) {
		case 100: goto st2371;
		case 108: goto st2380;
	}
	goto st0;
st2371:
	if ( ++p == pe )
		goto _test_eof2371;
case 2371:
	if ( (*p) == 111 )
		goto st2372;
	goto st0;
st2372:
	if ( ++p == pe )
		goto _test_eof2372;
case 2372:
	if ( (*p) == 118 )
		goto st2373;
	goto st0;
st2373:
	if ( ++p == pe )
		goto _test_eof2373;
case 2373:
	if ( (*p) == 111 )
		goto st2374;
	goto st0;
st2374:
	if ( ++p == pe )
		goto _test_eof2374;
case 2374:
	if ( (*p) == 116 )
		goto st2375;
	goto st0;
st2375:
	if ( ++p == pe )
		goto _test_eof2375;
case 2375:
	if ( (*p) == 111 )
		goto st2376;
	goto st0;
st2376:
	if ( ++p == pe )
		goto _test_eof2376;
case 2376:
	if ( (*p) == 114 )
		goto st2377;
	goto st0;
st2377:
	if ( ++p == pe )
		goto _test_eof2377;
case 2377:
	if ( (*p) == 114 )
		goto st2378;
	goto st0;
st2378:
	if ( ++p == pe )
		goto _test_eof2378;
case 2378:
	if ( (*p) == 117 )
		goto st2379;
	goto st0;
st2379:
	if ( ++p == pe )
		goto _test_eof2379;
case 2379:
	if ( (*p) == 110 )
		goto tr2590;
	goto st0;
st2380:
	if ( ++p == pe )
		goto _test_eof2380;
case 2380:
	if ( (*p) == 117 )
		goto st2381;
	goto st0;
st2381:
	if ( ++p == pe )
		goto _test_eof2381;
case 2381:
	if ( (*p) == 114 )
		goto st2382;
	goto st0;
st2382:
	if ( ++p == pe )
		goto _test_eof2382;
case 2382:
	if ( (*p) == 97 )
		goto st2383;
	goto st0;
st2383:
	if ( ++p == pe )
		goto _test_eof2383;
case 2383:
	if ( (*p) == 110 )
		goto tr2594;
	goto st0;
st2384:
	if ( ++p == pe )
		goto _test_eof2384;
case 2384:
	if ( (*p) == 117 )
		goto st2385;
	goto st0;
st2385:
	if ( ++p == pe )
		goto _test_eof2385;
case 2385:
	if ( (*p) == 98 )
		goto st2386;
	goto st0;
st2386:
	if ( ++p == pe )
		goto _test_eof2386;
case 2386:
	if ( (*p) == 101 )
		goto st2387;
	goto st0;
st2387:
	if ( ++p == pe )
		goto _test_eof2387;
case 2387:
	if ( (*p) == 114 )
		goto st2388;
	goto st0;
st2388:
	if ( ++p == pe )
		goto _test_eof2388;
case 2388:
	if ( (*p) == 98 )
		goto st2389;
	goto st0;
st2389:
	if ( ++p == pe )
		goto _test_eof2389;
case 2389:
	if ( (*p) == 97 )
		goto st2390;
	goto st0;
st2390:
	if ( ++p == pe )
		goto _test_eof2390;
case 2390:
	if ( (*p) == 110 )
		goto st2391;
	goto st0;
st2391:
	if ( ++p == pe )
		goto _test_eof2391;
case 2391:
	if ( (*p) == 102 )
		goto st2392;
	goto st0;
st2392:
	if ( ++p == pe )
		goto _test_eof2392;
case 2392:
	if ( (*p) == 105 )
		goto st2393;
	goto st0;
st2393:
	if ( ++p == pe )
		goto _test_eof2393;
case 2393:
	if ( (*p) == 116 )
		goto st2394;
	goto st0;
st2394:
	if ( ++p == pe )
		goto _test_eof2394;
case 2394:
	if ( (*p) == 101 )
		goto st2395;
	goto st0;
st2395:
	if ( ++p == pe )
		goto _test_eof2395;
case 2395:
	if ( (*p) == 110 )
		goto st2396;
	goto st0;
st2396:
	if ( ++p == pe )
		goto _test_eof2396;
case 2396:
	if ( (*p) == 107 )
		goto st2397;
	goto st0;
st2397:
	if ( ++p == pe )
		goto _test_eof2397;
case 2397:
	if ( (*p) == 101 )
		goto st2398;
	goto st0;
st2398:
	if ( ++p == pe )
		goto _test_eof2398;
case 2398:
	if ( (*p) == 114 )
		goto st2399;
	goto st0;
st2399:
	if ( ++p == pe )
		goto _test_eof2399;
case 2399:
	if ( (*p) == 115 )
		goto st2400;
	goto st0;
st2400:
	if ( ++p == pe )
		goto _test_eof2400;
case 2400:
	if ( (*p) == 117 )
		goto st2401;
	goto st0;
st2401:
	if ( ++p == pe )
		goto _test_eof2401;
case 2401:
	if ( (*p) == 115 )
		goto st2402;
	goto st0;
st2402:
	if ( ++p == pe )
		goto _test_eof2402;
case 2402:
	if ( (*p) == 116 )
		goto tr2613;
	goto st0;
st2403:
	if ( ++p == pe )
		goto _test_eof2403;
case 2403:
	switch( (*p) ) {
		case 108: goto st2404;
		case 110: goto st2416;
		case 114: goto st2427;
		case 115: goto st2435;
	}
	goto st0;
st2404:
	if ( ++p == pe )
		goto _test_eof2404;
case 2404:
	if ( (*p) == 117 )
		goto st2405;
	goto st0;
st2405:
	if ( ++p == pe )
		goto _test_eof2405;
case 2405:
	if ( (*p) == 112 )
		goto st2406;
	goto st0;
st2406:
	if ( ++p == pe )
		goto _test_eof2406;
case 2406:
	if ( (*p) == 101 )
		goto st2407;
	goto st0;
st2407:
	if ( ++p == pe )
		goto _test_eof2407;
case 2407:
	if ( (*p) == 116 )
		goto st2408;
	goto st0;
st2408:
	if ( ++p == pe )
		goto _test_eof2408;
case 2408:
	if ( (*p) == 117 )
		goto st2409;
	goto st0;
st2409:
	if ( ++p == pe )
		goto _test_eof2409;
case 2409:
	if ( (*p) == 115 )
		goto st2410;
	goto st0;
st2410:
	if ( ++p == pe )
		goto _test_eof2410;
case 2410:
	if ( (*p) == 116 )
		goto st2411;
	goto st0;
st2411:
	if ( ++p == pe )
		goto _test_eof2411;
case 2411:
	if ( (*p) == 107 )
		goto st2412;
	goto st0;
st2412:
	if ( ++p == pe )
		goto _test_eof2412;
case 2412:
	if ( (*p) == 101 )
		goto st2413;
	goto st0;
st2413:
	if ( ++p == pe )
		goto _test_eof2413;
case 2413:
	if ( (*p) == 114 )
		goto st2414;
	goto st0;
st2414:
	if ( ++p == pe )
		goto _test_eof2414;
case 2414:
	if ( (*p) == 114 )
		goto st2415;
	goto st0;
st2415:
	if ( ++p == pe )
		goto _test_eof2415;
case 2415:
	if ( (*p) == 111 )
		goto tr2629;
	goto st0;
st2416:
	if ( ++p == pe )
		goto _test_eof2416;
case 2416:
	if ( (*p) == 112 )
		goto st2417;
	goto st0;
st2417:
	if ( ++p == pe )
		goto _test_eof2417;
case 2417:
	if ( (*p) == 117 )
		goto st2418;
	goto st0;
st2418:
	if ( ++p == pe )
		goto _test_eof2418;
case 2418:
	if ( (*p) == 115 )
		goto st2419;
	goto st0;
st2419:
	if ( ++p == pe )
		goto _test_eof2419;
case 2419:
	if ( (*p) == 116 )
		goto st2420;
	goto st0;
st2420:
	if ( ++p == pe )
		goto _test_eof2420;
case 2420:
	if ( (*p) == 115 )
		goto st2421;
	goto st0;
st2421:
	if ( ++p == pe )
		goto _test_eof2421;
case 2421:
	if ( (*p) == 105 )
		goto st2422;
	goto st0;
st2422:
	if ( ++p == pe )
		goto _test_eof2422;
case 2422:
	if ( (*p) == 108 )
		goto st2423;
	goto st0;
st2423:
	if ( ++p == pe )
		goto _test_eof2423;
case 2423:
	if ( (*p) == 101 )
		goto st2424;
	goto st0;
st2424:
	if ( ++p == pe )
		goto _test_eof2424;
case 2424:
	if ( (*p) == 110 )
		goto st2425;
	goto st0;
st2425:
	if ( ++p == pe )
		goto _test_eof2425;
case 2425:
	if ( (*p) == 102 )
		goto st2426;
	goto st0;
st2426:
	if ( ++p == pe )
		goto _test_eof2426;
case 2426:
	if ( (*p) == 105 )
		goto tr2640;
	goto st0;
st2427:
	if ( ++p == pe )
		goto _test_eof2427;
case 2427:
	if ( (*p) == 98 )
		goto st2428;
	goto st0;
st2428:
	if ( ++p == pe )
		goto _test_eof2428;
case 2428:
	if ( (*p) == 117 )
		goto st2429;
	goto st0;
st2429:
	if ( ++p == pe )
		goto _test_eof2429;
case 2429:
	if ( (*p) == 122 )
		goto st2430;
	goto st0;
st2430:
	if ( ++p == pe )
		goto _test_eof2430;
case 2430:
	if ( (*p) == 97 )
		goto st2431;
	goto st0;
st2431:
	if ( ++p == pe )
		goto _test_eof2431;
case 2431:
	if ( (*p) == 114 )
		goto st2432;
	goto st0;
st2432:
	if ( ++p == pe )
		goto _test_eof2432;
case 2432:
	if ( (*p) == 112 )
		goto st2433;
	goto st0;
st2433:
	if ( ++p == pe )
		goto _test_eof2433;
case 2433:
	if ( (*p) == 97 )
		goto st2434;
	goto st0;
st2434:
	if ( ++p == pe )
		goto _test_eof2434;
case 2434:
	if ( (*p) == 110 )
		goto tr2648;
	goto st0;
st2435:
	if ( ++p == pe )
		goto _test_eof2435;
case 2435:
	if ( (*p) == 116 )
		goto st2436;
	goto st0;
st2436:
	if ( ++p == pe )
		goto _test_eof2436;
case 2436:
	switch( (*p) ) {
		case 102: goto st2437;
		case 116: goto st2451;
	}
	goto st0;
st2437:
	if ( ++p == pe )
		goto _test_eof2437;
case 2437:
	if ( (*p) == 111 )
		goto st2438;
	goto st0;
st2438:
	if ( ++p == pe )
		goto _test_eof2438;
case 2438:
	if ( (*p) == 115 )
		goto st2439;
	goto st0;
st2439:
	if ( ++p == pe )
		goto _test_eof2439;
case 2439:
	if ( (*p) == 116 )
		goto st2440;
	goto st0;
st2440:
	if ( ++p == pe )
		goto _test_eof2440;
case 2440:
	if ( (*p) == 122 )
		goto st2441;
	goto st0;
st2441:
	if ( ++p == pe )
		goto _test_eof2441;
case 2441:
	if ( (*p) == 105 )
		goto st2442;
	goto st0;
st2442:
	if ( ++p == pe )
		goto _test_eof2442;
case 2442:
	if ( (*p) == 114 )
		goto st2443;
	goto st0;
st2443:
	if ( ++p == pe )
		goto _test_eof2443;
case 2443:
	if ( (*p) == 110 )
		goto st2444;
	goto st0;
st2444:
	if ( ++p == pe )
		goto _test_eof2444;
case 2444:
	if ( (*p) == 105 )
		goto st2445;
	goto st0;
st2445:
	if ( ++p == pe )
		goto _test_eof2445;
case 2445:
	if ( (*p) == 112 )
		goto st2446;
	goto st0;
st2446:
	if ( ++p == pe )
		goto _test_eof2446;
case 2446:
	if ( (*p) == 105 )
		goto st2447;
	goto st0;
st2447:
	if ( ++p == pe )
		goto _test_eof2447;
case 2447:
	if ( (*p) == 114 )
		goto st2448;
	goto st0;
st2448:
	if ( ++p == pe )
		goto _test_eof2448;
case 2448:
	if ( (*p) == 116 )
		goto st2449;
	goto st0;
st2449:
	if ( ++p == pe )
		goto _test_eof2449;
case 2449:
	if ( (*p) == 111 )
		goto st2450;
	goto st0;
st2450:
	if ( ++p == pe )
		goto _test_eof2450;
case 2450:
	if ( (*p) == 114 )
		goto tr2665;
	goto st0;
st2451:
	if ( ++p == pe )
		goto _test_eof2451;
case 2451:
	if ( (*p) == 97 )
		goto st2452;
	goto st0;
st2452:
	if ( ++p == pe )
		goto _test_eof2452;
case 2452:
	if ( (*p) == 114 )
		goto st2453;
	goto st0;
st2453:
	if ( ++p == pe )
		goto _test_eof2453;
case 2453:
	if ( (*p) == 109 )
		goto st2454;
	goto st0;
st2454:
	if ( ++p == pe )
		goto _test_eof2454;
case 2454:
	if ( (*p) == 97 )
		goto st2455;
	goto st0;
st2455:
	if ( ++p == pe )
		goto _test_eof2455;
case 2455:
	if ( (*p) == 114 )
		goto tr2670;
	goto st0;
st2456:
	if ( ++p == pe )
		goto _test_eof2456;
case 2456:
	switch( (*p) ) {
		case 109: goto st2457;
		case 114: goto st2471;
		case 115: goto st2481;
		case 116: goto st2491;
	}
	goto st0;
st2457:
	if ( ++p == pe )
		goto _test_eof2457;
case 2457:
	if ( (*p) == 105 )
		goto st2458;
	goto st0;
st2458:
	if ( ++p == pe )
		goto _test_eof2458;
case 2458:
	if ( (*p) == 115 )
		goto st2459;
	goto st0;
st2459:
	if ( ++p == pe )
		goto _test_eof2459;
case 2459:
	if ( (*p) == 116 )
		goto st2460;
	goto st0;
st2460:
	if ( ++p == pe )
		goto _test_eof2460;
case 2460:
	if ( (*p) == 108 )
		goto st2461;
	goto st0;
st2461:
	if ( ++p == pe )
		goto _test_eof2461;
case 2461:
	if ( (*p) == 97 )
		goto st2462;
	goto st0;
st2462:
	if ( ++p == pe )
		goto _test_eof2462;
case 2462:
	if ( (*p) == 114 )
		goto st2463;
	goto st0;
st2463:
	if ( ++p == pe )
		goto _test_eof2463;
case 2463:
	if ( (*p) == 116 )
		goto st2464;
	goto st0;
st2464:
	if ( ++p == pe )
		goto _test_eof2464;
case 2464:
	if ( (*p) == 97 )
		goto st2465;
	goto st0;
st2465:
	if ( ++p == pe )
		goto _test_eof2465;
case 2465:
	if ( (*p) == 98 )
		goto st2466;
	goto st0;
st2466:
	if ( ++p == pe )
		goto _test_eof2466;
case 2466:
	if ( (*p) == 117 )
		goto st2467;
	goto st0;
st2467:
	if ( ++p == pe )
		goto _test_eof2467;
case 2467:
	if ( (*p) == 114 )
		goto st2468;
	goto st0;
st2468:
	if ( ++p == pe )
		goto _test_eof2468;
case 2468:
	if ( (*p) == 109 )
		goto st2469;
	goto st0;
st2469:
	if ( ++p == pe )
		goto _test_eof2469;
case 2469:
	if ( (*p) == 101 )
		goto st2470;
	goto st0;
st2470:
	if ( ++p == pe )
		goto _test_eof2470;
case 2470:
	if ( (*p) == 110 )
		goto tr2688;
	goto st0;
st2471:
	if ( ++p == pe )
		goto _test_eof2471;
case 2471:
	if ( (*p) == 107 )
		goto st2472;
	goto st0;
st2472:
	if ( ++p == pe )
		goto _test_eof2472;
case 2472:
	if ( (*p) == 105 )
		goto st2473;
	goto st0;
st2473:
	if ( ++p == pe )
		goto _test_eof2473;
case 2473:
	if ( (*p) == 114 )
		goto st2474;
	goto st0;
st2474:
	if ( ++p == pe )
		goto _test_eof2474;
case 2474:
	if ( (*p) == 102 )
		goto st2475;
	goto st0;
st2475:
	if ( ++p == pe )
		goto _test_eof2475;
case 2475:
	if ( (*p) == 111 )
		goto st2476;
	goto st0;
st2476:
	if ( ++p == pe )
		goto _test_eof2476;
case 2476:
	if ( (*p) == 114 )
		goto st2477;
	goto st0;
st2477:
	if ( ++p == pe )
		goto _test_eof2477;
case 2477:
	if ( (*p) == 118 )
		goto st2478;
	goto st0;
st2478:
	if ( ++p == pe )
		goto _test_eof2478;
case 2478:
	if ( (*p) == 101 )
		goto st2479;
	goto st0;
st2479:
	if ( ++p == pe )
		goto _test_eof2479;
case 2479:
	if ( (*p) == 115 )
		goto st2480;
	goto st0;
st2480:
	if ( ++p == pe )
		goto _test_eof2480;
case 2480:
	if ( (*p) == 116 )
		goto tr2698;
	goto st0;
st2481:
	if ( ++p == pe )
		goto _test_eof2481;
case 2481:
	if ( (*p) == 116 )
		goto st2482;
	goto st0;
st2482:
	if ( ++p == pe )
		goto _test_eof2482;
case 2482:
	if ( (*p) == 107 )
		goto st2483;
	goto st0;
st2483:
	if ( ++p == pe )
		goto _test_eof2483;
case 2483:
	if ( (*p) == 101 )
		goto st2484;
	goto st0;
st2484:
	if ( ++p == pe )
		goto _test_eof2484;
case 2484:
	if ( (*p) == 110 )
		goto st2485;
	goto st0;
st2485:
	if ( ++p == pe )
		goto _test_eof2485;
case 2485:
	if ( (*p) == 115 )
		goto st2486;
	goto st0;
st2486:
	if ( ++p == pe )
		goto _test_eof2486;
case 2486:
	if ( (*p) == 111 )
		goto st2487;
	goto st0;
st2487:
	if ( ++p == pe )
		goto _test_eof2487;
case 2487:
	if ( (*p) == 114 )
		goto st2488;
	goto st0;
st2488:
	if ( ++p == pe )
		goto _test_eof2488;
case 2488:
	if ( (*p) == 103 )
		goto st2489;
	goto st0;
st2489:
	if ( ++p == pe )
		goto _test_eof2489;
case 2489:
	if ( (*p) == 111 )
		goto st2490;
	goto st0;
st2490:
	if ( ++p == pe )
		goto _test_eof2490;
case 2490:
	if ( (*p) == 114 )
		goto tr2708;
	goto st0;
st2491:
	if ( ++p == pe )
		goto _test_eof2491;
case 2491:
	if ( (*p) == 105 )
		goto st2492;
	goto st0;
st2492:
	if ( ++p == pe )
		goto _test_eof2492;
case 2492:
	if ( (*p) == 114 )
		goto st2493;
	goto st0;
st2493:
	if ( ++p == pe )
		goto _test_eof2493;
case 2493:
	if ( (*p) == 115 )
		goto st2494;
	goto st0;
st2494:
	if ( ++p == pe )
		goto _test_eof2494;
case 2494:
	if ( (*p) == 101 )
		goto st2495;
	goto st0;
st2495:
	if ( ++p == pe )
		goto _test_eof2495;
case 2495:
	if ( (*p) == 115 )
		goto st2496;
	goto st0;
st2496:
	if ( ++p == pe )
		goto _test_eof2496;
case 2496:
	if ( (*p) == 116 )
		goto st2497;
	goto st0;
st2497:
	if ( ++p == pe )
		goto _test_eof2497;
case 2497:
	if ( (*p) == 98 )
		goto st2498;
	goto st0;
st2498:
	if ( ++p == pe )
		goto _test_eof2498;
case 2498:
	if ( (*p) == 101 )
		goto st2499;
	goto st0;
st2499:
	if ( ++p == pe )
		goto _test_eof2499;
case 2499:
	if ( (*p) == 110 )
		goto tr2717;
	goto st0;
st2500:
	if ( ++p == pe )
		goto _test_eof2500;
case 2500:
	switch( (*p) ) {
		case 97: goto st2501;
		case 101: goto st2535;
		case 105: goto st2555;
		case 111: goto st2607;
		case 117: goto st2661;
	}
	goto st0;
st2501:
	if ( ++p == pe )
		goto _test_eof2501;
case 2501:
	switch( (*p) ) {
		case 110: goto st2502;
		case 115: goto st2519;
	}
	goto st0;
st2502:
	if ( ++p == pe )
		goto _test_eof2502;
case 2502:
	if ( (*p) == 107 )
		goto st2503;
	goto st0;
st2503:
	if ( ++p == pe )
		goto _test_eof2503;
case 2503:
	if ( (*p) == 111 )
		goto st2504;
	goto st0;
st2504:
	if ( ++p == pe )
		goto _test_eof2504;
case 2504:
	if ( (*p) == 115 )
		goto st2505;
	goto st0;
st2505:
	if ( ++p == pe )
		goto _test_eof2505;
case 2505:
	if ( (*p) == 116 )
		goto st2506;
	goto st0;
st2506:
	if ( ++p == pe )
		goto _test_eof2506;
case 2506:
	if ( (*p) == 108 )
		goto st2507;
	goto st0;
st2507:
	if ( ++p == pe )
		goto _test_eof2507;
case 2507:
	if ( (*p) == 117 )
		goto st2508;
	goto st0;
st2508:
	if ( ++p == pe )
		goto _test_eof2508;
case 2508:
	if ( (*p) == 107 )
		goto st2509;
	goto st0;
st2509:
	if ( ++p == pe )
		goto _test_eof2509;
case 2509:
	if ( (*p) == 117 )
		goto st2510;
	goto st0;
st2510:
	if ( ++p == pe )
		goto _test_eof2510;
case 2510:
	if ( (*p) == 98 )
		goto st2511;
	goto st0;
st2511:
	if ( ++p == pe )
		goto _test_eof2511;
case 2511:
	if ( (*p) == 111 )
		goto st2512;
	goto st0;
st2512:
	if ( ++p == pe )
		goto _test_eof2512;
case 2512:
	if ( (*p) == 114 )
		goto st2513;
	goto st0;
st2513:
	if ( ++p == pe )
		goto _test_eof2513;
case 2513:
	if ( (*p) == 114 )
		goto st2514;
	goto st0;
st2514:
	if ( ++p == pe )
		goto _test_eof2514;
case 2514:
	if ( (*p) == 101 )
		goto st2515;
	goto st0;
st2515:
	if ( ++p == pe )
		goto _test_eof2515;
case 2515:
	if ( (*p) == 112 )
		goto st2516;
	goto st0;
st2516:
	if ( ++p == pe )
		goto _test_eof2516;
case 2516:
	if ( (*p) == 117 )
		goto st2517;
	goto st0;
st2517:
	if ( ++p == pe )
		goto _test_eof2517;
case 2517:
	if ( (*p) == 115 )
		goto st2518;
	goto st0;
st2518:
	if ( ++p == pe )
		goto _test_eof2518;
case 2518:
	if ( (*p) == 116 )
		goto tr2741;
	goto st0;
st2519:
	if ( ++p == pe )
		goto _test_eof2519;
case 2519:
	if ( (*p) == 116 )
		goto st2520;
	goto st0;
st2520:
	if ( ++p == pe )
		goto _test_eof2520;
case 2520:
	if ( (*p) == 114 )
		goto st2521;
	goto st0;
st2521:
	if ( ++p == pe )
		goto _test_eof2521;
case 2521:
	if ( (*p) == 117 )
		goto st2522;
	goto st0;
st2522:
	if ( ++p == pe )
		goto _test_eof2522;
case 2522:
	if ( (*p) == 103 )
		goto st2523;
	goto st0;
st2523:
	if ( ++p == pe )
		goto _test_eof2523;
case 2523:
	if ( (*p) == 101 )
		goto st2524;
	goto st0;
st2524:
	if ( ++p == pe )
		goto _test_eof2524;
case 2524:
	if ( (*p) == 102 )
		goto st2525;
	goto st0;
st2525:
	if ( ++p == pe )
		goto _test_eof2525;
case 2525:
	if ( (*p) == 111 )
		goto st2526;
	goto st0;
st2526:
	if ( ++p == pe )
		goto _test_eof2526;
case 2526:
	if ( (*p) == 114 )
		goto st2527;
	goto st0;
st2527:
	if ( ++p == pe )
		goto _test_eof2527;
case 2527:
	if ( (*p) == 108 )
		goto st2528;
	goto st0;
st2528:
	if ( ++p == pe )
		goto _test_eof2528;
case 2528:
	if ( (*p) == 105 )
		goto st2529;
	goto st0;
st2529:
	if ( ++p == pe )
		goto _test_eof2529;
case 2529:
	if ( (*p) == 110 )
		goto st2530;
	goto st0;
st2530:
	if ( ++p == pe )
		goto _test_eof2530;
case 2530:
	if ( (*p) == 108 )
		goto st2531;
	goto st0;
st2531:
	if ( ++p == pe )
		goto _test_eof2531;
case 2531:
	if ( (*p) == 105 )
		goto st2532;
	goto st0;
st2532:
	if ( ++p == pe )
		goto _test_eof2532;
case 2532:
	if ( (*p) == 112 )
		goto st2533;
	goto st0;
st2533:
	if ( ++p == pe )
		goto _test_eof2533;
case 2533:
	if ( (*p) == 97 )
		goto st2534;
	goto st0;
st2534:
	if ( ++p == pe )
		goto _test_eof2534;
case 2534:
	if ( (*p) == 110 )
		goto tr2757;
	goto st0;
st2535:
	if ( ++p == pe )
		goto _test_eof2535;
case 2535:
	if ( (*p) == 110 )
		goto st2536;
	goto st0;
st2536:
	if ( ++p == pe )
		goto _test_eof2536;
case 2536:
	if ( (*p) == 115 )
		goto st2537;
	goto st0;
st2537:
	if ( ++p == pe )
		goto _test_eof2537;
case 2537:
	if ( (*p) == 105 )
		goto st2538;
	goto st0;
st2538:
	if ( ++p == pe )
		goto _test_eof2538;
case 2538:
	if ( (*p) == 114 )
		goto st2539;
	goto st0;
st2539:
	if ( ++p == pe )
		goto _test_eof2539;
case 2539:
	if ( (*p) == 107 )
		goto st2540;
	goto st0;
st2540:
	if ( ++p == pe )
		goto _test_eof2540;
case 2540:
	if ( (*p) == 111 )
		goto st2541;
	goto st0;
st2541:
	if ( ++p == pe )
		goto _test_eof2541;
case 2541:
	if ( (*p) == 115 )
		goto st2542;
	goto st0;
st2542:
	if ( ++p == pe )
		goto _test_eof2542;
case 2542:
	if ( (*p) == 116 )
		goto st2543;
	goto st0;
st2543:
	if ( ++p == pe )
		goto _test_eof2543;
case 2543:
	if ( (*p) == 107 )
		goto st2544;
	goto st0;
st2544:
	if ( ++p == pe )
		goto _test_eof2544;
case 2544:
	if ( (*p) == 111 )
		goto st2545;
	goto st0;
st2545:
	if ( ++p == pe )
		goto _test_eof2545;
case 2545:
	if ( (*p) == 114 )
		goto st2546;
	goto st0;
st2546:
	if ( ++p == pe )
		goto _test_eof2546;
case 2546:
	if ( (*p) == 107 )
		goto st2547;
	goto st0;
st2547:
	if ( ++p == pe )
		goto _test_eof2547;
case 2547:
	if ( (*p) == 117 )
		goto st2548;
	goto st0;
st2548:
	if ( ++p == pe )
		goto _test_eof2548;
case 2548:
	if ( (*p) == 115 )
		goto st2549;
	goto st0;
st2549:
	if ( ++p == pe )
		goto _test_eof2549;
case 2549:
	if ( (*p) == 116 )
		goto st2550;
	goto st0;
st2550:
	if ( ++p == pe )
		goto _test_eof2550;
case 2550:
	if ( (*p) == 110 )
		goto st2551;
	goto st0;
st2551:
	if ( ++p == pe )
		goto _test_eof2551;
case 2551:
	if ( (*p) == 97 )
		goto st2552;
	goto st0;
st2552:
	if ( ++p == pe )
		goto _test_eof2552;
case 2552:
	if ( (*p) == 112 )
		goto st2553;
	goto st0;
st2553:
	if ( ++p == pe )
		goto _test_eof2553;
case 2553:
	if ( (*p) == 111 )
		goto st2554;
	goto st0;
st2554:
	if ( ++p == pe )
		goto _test_eof2554;
case 2554:
	if ( (*p) == 110 )
		goto tr2777;
	goto st0;
st2555:
	if ( ++p == pe )
		goto _test_eof2555;
case 2555:
	switch( (*p) ) {
		case 100: goto st2556;
		case 108: goto st2567;
		case 110: goto st2577;
		case 115: goto st2599;
	}
	goto st0;
st2556:
	if ( ++p == pe )
		goto _test_eof2556;
case 2556:
	if ( (*p) == 101 )
		goto st2557;
	goto st0;
st2557:
	if ( ++p == pe )
		goto _test_eof2557;
case 2557:
	if ( (*p) == 116 )
		goto st2558;
	goto st0;
st2558:
	if ( ++p == pe )
		goto _test_eof2558;
case 2558:
	if ( (*p) == 111 )
		goto st2559;
	goto st0;
st2559:
	if ( ++p == pe )
		goto _test_eof2559;
case 2559:
	if ( (*p) == 114 )
		goto st2560;
	goto st0;
st2560:
	if ( ++p == pe )
		goto _test_eof2560;
case 2560:
	if ( (*p) == 122 )
		goto st2561;
	goto st0;
st2561:
	if ( ++p == pe )
		goto _test_eof2561;
case 2561:
	if ( (*p) == 101 )
		goto st2562;
	goto st0;
st2562:
	if ( ++p == pe )
		goto _test_eof2562;
case 2562:
	if ( (*p) == 109 )
		goto st2563;
	goto st0;
st2563:
	if ( ++p == pe )
		goto _test_eof2563;
case 2563:
	if ( (*p) == 105 )
		goto st2564;
	goto st0;
st2564:
	if ( ++p == pe )
		goto _test_eof2564;
case 2564:
	if ( (*p) == 110 )
		goto st2565;
	goto st0;
st2565:
	if ( ++p == pe )
		goto _test_eof2565;
case 2565:
	if ( (*p) == 114 )
		goto st2566;
	goto st0;
st2566:
	if ( ++p == pe )
		goto _test_eof2566;
case 2566:
	if ( (*p) == 105 )
		goto tr2792;
	goto st0;
st2567:
	if ( ++p == pe )
		goto _test_eof2567;
case 2567:
	if ( (*p) == 117 )
		goto st2568;
	goto st0;
st2568:
	if ( ++p == pe )
		goto _test_eof2568;
case 2568:
	if ( (*p) == 115 )
		goto st2569;
	goto st0;
st2569:
	if ( ++p == pe )
		goto _test_eof2569;
case 2569:
	if ( (*p) == 101 )
		goto st2570;
	goto st0;
st2570:
	if ( ++p == pe )
		goto _test_eof2570;
case 2570:
	if ( (*p) == 110 )
		goto st2571;
	goto st0;
st2571:
	if ( ++p == pe )
		goto _test_eof2571;
case 2571:
	if ( (*p) == 102 )
		goto st2572;
	goto st0;
st2572:
	if ( ++p == pe )
		goto _test_eof2572;
case 2572:
	if ( (*p) == 97 )
		goto st2573;
	goto st0;
st2573:
	if ( ++p == pe )
		goto _test_eof2573;
case 2573:
	if ( (*p) == 100 )
		goto st2574;
	goto st0;
st2574:
	if ( ++p == pe )
		goto _test_eof2574;
case 2574:
	if ( (*p) == 111 )
		goto st2575;
	goto st0;
st2575:
	if ( ++p == pe )
		goto _test_eof2575;
case 2575:
	if ( (*p) == 118 )
		goto st2576;
	goto st0;
st2576:
	if ( ++p == pe )
		goto _test_eof2576;
case 2576:
	if ( (*p) == 105 )
		goto tr2802;
	goto st0;
st2577:
	if ( ++p == pe )
		goto _test_eof2577;
case 2577:
	switch( (*p) ) {
		case 101: goto st2578;
		case 115: goto st2587;
	}
	goto st0;
st2578:
	if ( ++p == pe )
		goto _test_eof2578;
case 2578:
	if ( (*p) == 109 )
		goto st2579;
	goto st0;
st2579:
	if ( ++p == pe )
		goto _test_eof2579;
case 2579:
	if ( (*p) == 97 )
		goto st2580;
	goto st0;
st2580:
	if ( ++p == pe )
		goto _test_eof2580;
case 2580:
	if ( (*p) == 114 )
		goto st2581;
	goto st0;
st2581:
	if ( ++p == pe )
		goto _test_eof2581;
case 2581:
	if ( (*p) == 107 )
		goto st2582;
	goto st0;
st2582:
	if ( ++p == pe )
		goto _test_eof2582;
case 2582:
	if ( (*p) == 111 )
		goto st2583;
	goto st0;
st2583:
	if ( ++p == pe )
		goto _test_eof2583;
case 2583:
	if ( (*p) == 108 )
		goto st2584;
	goto st0;
st2584:
	if ( ++p == pe )
		goto _test_eof2584;
case 2584:
	if ( (*p) == 111 )
		goto st2585;
	goto st0;
st2585:
	if ( ++p == pe )
		goto _test_eof2585;
case 2585:
	if ( (*p) == 102 )
		goto st2586;
	goto st0;
st2586:
	if ( ++p == pe )
		goto _test_eof2586;
case 2586:
	if ( (*p) == 111 )
		goto tr2813;
	goto st0;
st2587:
	if ( ++p == pe )
		goto _test_eof2587;
case 2587:
	if ( (*p) == 105 )
		goto st2588;
	goto st0;
st2588:
	if ( ++p == pe )
		goto _test_eof2588;
case 2588:
	if ( (*p) == 118 )
		goto st2589;
	goto st0;
st2589:
	if ( ++p == pe )
		goto _test_eof2589;
case 2589:
	if ( (*p) == 117 )
		goto st2590;
	goto st0;
st2590:
	if ( ++p == pe )
		goto _test_eof2590;
case 2590:
	if ( (*p) == 122 )
		goto st2591;
	goto st0;
st2591:
	if ( ++p == pe )
		goto _test_eof2591;
case 2591:
	if ( (*p) == 101 )
		goto st2592;
	goto st0;
st2592:
	if ( ++p == pe )
		goto _test_eof2592;
case 2592:
	if ( (*p) == 102 )
		goto st2593;
	goto st0;
st2593:
	if ( ++p == pe )
		goto _test_eof2593;
case 2593:
	if ( (*p) == 117 )
		goto st2594;
	goto st0;
st2594:
	if ( ++p == pe )
		goto _test_eof2594;
case 2594:
	if ( (*p) == 118 )
		goto st2595;
	goto st0;
st2595:
	if ( ++p == pe )
		goto _test_eof2595;
case 2595:
	if ( (*p) == 105 )
		goto st2596;
	goto st0;
st2596:
	if ( ++p == pe )
		goto _test_eof2596;
case 2596:
	if ( (*p) == 110 )
		goto st2597;
	goto st0;
st2597:
	if ( ++p == pe )
		goto _test_eof2597;
case 2597:
	if ( (*p) == 110 )
		goto st2598;
	goto st0;
st2598:
	if ( ++p == pe )
		goto _test_eof2598;
case 2598:
	if ( (*p) == 111 )
		goto tr2825;
	goto st0;
st2599:
	if ( ++p == pe )
		goto _test_eof2599;
case 2599:
	if ( (*p) == 116 )
		goto st2600;
	goto st0;
st2600:
	if ( ++p == pe )
		goto _test_eof2600;
case 2600:
	if ( (*p) == 109 )
		goto st2601;
	goto st0;
st2601:
	if ( ++p == pe )
		goto _test_eof2601;
case 2601:
	if ( (*p) == 97 )
		goto st2602;
	goto st0;
st2602:
	if ( ++p == pe )
		goto _test_eof2602;
case 2602:
	if ( (*p) == 110 )
		goto st2603;
	goto st0;
st2603:
	if ( ++p == pe )
		goto _test_eof2603;
case 2603:
	if ( (*p) == 101 )
		goto st2604;
	goto st0;
st2604:
	if ( ++p == pe )
		goto _test_eof2604;
case 2604:
	if ( (*p) == 114 )
		goto st2605;
	goto st0;
st2605:
	if ( ++p == pe )
		goto _test_eof2605;
case 2605:
	if ( (*p) == 101 )
		goto st2606;
	goto st0;
st2606:
	if ( ++p == pe )
		goto _test_eof2606;
case 2606:
	if ( (*p) == 114 )
		goto tr2833;
	goto st0;
st2607:
	if ( ++p == pe )
		goto _test_eof2607;
case 2607:
	switch( (*p) ) {
		case 109: goto st2608;
		case 114: goto st2622;
		case 115: goto st2641;
	}
	goto st0;
st2608:
	if ( ++p == pe )
		goto _test_eof2608;
case 2608:
	if ( (*p) == 117 )
		goto st2609;
	goto st0;
st2609:
	if ( ++p == pe )
		goto _test_eof2609;
case 2609:
	if ( (*p) == 114 )
		goto st2610;
	goto st0;
st2610:
	if ( ++p == pe )
		goto _test_eof2610;
case 2610:
	if ( (*p) == 100 )
		goto st2611;
	goto st0;
st2611:
	if ( ++p == pe )
		goto _test_eof2611;
case 2611:
	if ( (*p) == 117 )
		goto st2612;
	goto st0;
st2612:
	if ( ++p == pe )
		goto _test_eof2612;
case 2612:
	if ( (*p) == 114 )
		goto st2613;
	goto st0;
st2613:
	if ( ++p == pe )
		goto _test_eof2613;
case 2613:
	if ( (*p) == 108 )
		goto st2614;
	goto st0;
st2614:
	if ( ++p == pe )
		goto _test_eof2614;
case 2614:
	if ( (*p) == 97 )
		goto st2615;
	goto st0;
st2615:
	if ( ++p == pe )
		goto _test_eof2615;
case 2615:
	if ( (*p) == 114 )
		goto st2616;
	goto st0;
st2616:
	if ( ++p == pe )
		goto _test_eof2616;
case 2616:
	if ( (*p) == 103 )
		goto st2617;
	goto st0;
st2617:
	if ( ++p == pe )
		goto _test_eof2617;
case 2617:
	if ( (*p) == 117 )
		goto st2618;
	goto st0;
st2618:
	if ( ++p == pe )
		goto _test_eof2618;
case 2618:
	if ( (*p) == 109 )
		goto st2619;
	goto st0;
st2619:
	if ( ++p == pe )
		goto _test_eof2619;
case 2619:
	if ( (*p) == 111 )
		goto st2620;
	goto st0;
st2620:
	if ( ++p == pe )
		goto _test_eof2620;
case 2620:
	if ( (*p) == 115 )
		goto st2621;
	goto st0;
st2621:
	if ( ++p == pe )
		goto _test_eof2621;
case 2621:
	if ( (*p) == 116 )
		goto tr2850;
	goto st0;
st2622:
	if ( ++p == pe )
		goto _test_eof2622;
case 2622:
	switch( (*p) ) {
		case 102: goto st2623;
		case 122: goto st2634;
	}
	goto st0;
st2623:
	if ( ++p == pe )
		goto _test_eof2623;
case 2623:
	if ( (*p) == 105 )
		goto st2624;
	goto st0;
st2624:
	if ( ++p == pe )
		goto _test_eof2624;
case 2624:
	if ( (*p) == 115 )
		goto st2625;
	goto st0;
st2625:
	if ( ++p == pe )
		goto _test_eof2625;
case 2625:
	if ( (*p) == 111 )
		goto st2626;
	goto st0;
st2626:
	if ( ++p == pe )
		goto _test_eof2626;
case 2626:
	if ( (*p) == 103 )
		goto st2627;
	goto st0;
st2627:
	if ( ++p == pe )
		goto _test_eof2627;
case 2627:
	if ( (*p) == 97 )
		goto st2628;
	goto st0;
st2628:
	if ( ++p == pe )
		goto _test_eof2628;
case 2628:
	if ( (*p) == 114 )
		goto st2629;
	goto st0;
st2629:
	if ( ++p == pe )
		goto _test_eof2629;
case 2629:
	if ( (*p) == 107 )
		goto st2630;
	goto st0;
st2630:
	if ( ++p == pe )
		goto _test_eof2630;
case 2630:
	if ( (*p) == 101 )
		goto st2631;
	goto st0;
st2631:
	if ( ++p == pe )
		goto _test_eof2631;
case 2631:
	if ( (*p) == 103 )
		goto st2632;
	goto st0;
st2632:
	if ( ++p == pe )
		goto _test_eof2632;
case 2632:
	if ( (*p) == 101 )
		goto st2633;
	goto st0;
st2633:
	if ( ++p == pe )
		goto _test_eof2633;
case 2633:
	if ( (*p) == 110 )
		goto tr2863;
	goto st0;
st2634:
	if ( ++p == pe )
		goto _test_eof2634;
case 2634:
	if ( (*p) == 97 )
		goto st2635;
	goto st0;
st2635:
	if ( ++p == pe )
		goto _test_eof2635;
case 2635:
	if ( (*p) == 115 )
		goto st2636;
	goto st0;
st2636:
	if ( ++p == pe )
		goto _test_eof2636;
case 2636:
	if ( (*p) == 116 )
		goto st2637;
	goto st0;
st2637:
	if ( ++p == pe )
		goto _test_eof2637;
case 2637:
	if ( (*p) == 118 )
		goto st2638;
	goto st0;
st2638:
	if ( ++p == pe )
		goto _test_eof2638;
case 2638:
	if ( (*p) == 101 )
		goto st2639;
	goto st0;
st2639:
	if ( ++p == pe )
		goto _test_eof2639;
case 2639:
	if ( (*p) == 115 )
		goto st2640;
	goto st0;
st2640:
	if ( ++p == pe )
		goto _test_eof2640;
case 2640:
	if ( (*p) == 116 )
		goto tr2870;
	goto st0;
st2641:
	if ( ++p == pe )
		goto _test_eof2641;
case 2641:
	if ( (*p) == 116 )
		goto st2642;
	goto st0;
st2642:
	if ( ++p == pe )
		goto _test_eof2642;
case 2642:
	switch( (*p) ) {
		case 109: goto st2643;
		case 118: goto st2656;
	}
	goto st0;
st2643:
	if ( ++p == pe )
		goto _test_eof2643;
case 2643:
	if ( (*p) == 117 )
		goto st2644;
	goto st0;
st2644:
	if ( ++p == pe )
		goto _test_eof2644;
case 2644:
	if ( (*p) == 110 )
		goto st2645;
	goto st0;
st2645:
	if ( ++p == pe )
		goto _test_eof2645;
case 2645:
	if ( (*p) == 114 )
		goto st2646;
	goto st0;
st2646:
	if ( ++p == pe )
		goto _test_eof2646;
case 2646:
	if ( (*p) == 111 )
		goto st2647;
	goto st0;
st2647:
	if ( ++p == pe )
		goto _test_eof2647;
case 2647:
	if ( (*p) == 98 )
		goto st2648;
	goto st0;
st2648:
	if ( ++p == pe )
		goto _test_eof2648;
case 2648:
	if ( (*p) == 97 )
		goto st2649;
	goto st0;
st2649:
	if ( ++p == pe )
		goto _test_eof2649;
case 2649:
	if ( (*p) == 110 )
		goto st2650;
	goto st0;
st2650:
	if ( ++p == pe )
		goto _test_eof2650;
case 2650:
	if ( (*p) == 103 )
		goto st2651;
	goto st0;
st2651:
	if ( ++p == pe )
		goto _test_eof2651;
case 2651:
	if ( (*p) == 105 )
		goto st2652;
	goto st0;
st2652:
	if ( ++p == pe )
		goto _test_eof2652;
case 2652:
	if ( (*p) == 110 )
		goto st2653;
	goto st0;
st2653:
	if ( ++p == pe )
		goto _test_eof2653;
case 2653:
	if ( (*p) == 110 )
		goto st2654;
	goto st0;
st2654:
	if ( ++p == pe )
		goto _test_eof2654;
case 2654:
	if ( (*p) == 97 )
		goto st2655;
	goto st0;
st2655:
	if ( ++p == pe )
		goto _test_eof2655;
case 2655:
	if ( (*p) == 110 )
		goto tr2886;
	goto st0;
st2656:
	if ( ++p == pe )
		goto _test_eof2656;
case 2656:
	if ( (*p) == 111 )
		goto st2657;
	goto st0;
st2657:
	if ( ++p == pe )
		goto _test_eof2657;
case 2657:
	if ( (*p) == 103 )
		goto st2658;
	goto st0;
st2658:
	if ( ++p == pe )
		goto _test_eof2658;
case 2658:
	if ( (*p) == 101 )
		goto st2659;
	goto st0;
st2659:
	if ( ++p == pe )
		goto _test_eof2659;
case 2659:
	if ( (*p) == 115 )
		goto st2660;
	goto st0;
st2660:
	if ( ++p == pe )
		goto _test_eof2660;
case 2660:
	if ( (*p) == 116 )
		goto tr2891;
	goto st0;
st2661:
	if ( ++p == pe )
		goto _test_eof2661;
case 2661:
	switch( (*p) ) {
		case 107: goto st2662;
		case 108: goto st2678;
		case 114: goto st2679;
		case 115: goto st2690;
	}
	goto st0;
st2662:
	if ( ++p == pe )
		goto _test_eof2662;
case 2662:
	if ( (*p) == 117 )
		goto st2663;
	goto st0;
st2663:
	if ( ++p == pe )
		goto _test_eof2663;
case 2663:
	if ( (*p) == 115 )
		goto st2664;
	goto st0;
st2664:
	if ( ++p == pe )
		goto _test_eof2664;
case 2664:
	if ( (*p) == 116 )
		goto st2665;
	goto st0;
st2665:
	if ( ++p == pe )
		goto _test_eof2665;
case 2665:
	if ( (*p) == 108 )
		goto st2666;
	goto st0;
st2666:
	if ( ++p == pe )
		goto _test_eof2666;
case 2666:
	if ( (*p) == 111 )
		goto st2667;
	goto st0;
st2667:
	if ( ++p == pe )
		goto _test_eof2667;
case 2667:
	if ( (*p) == 115 )
		goto st2668;
	goto st0;
st2668:
	if ( ++p == pe )
		goto _test_eof2668;
case 2668:
	if ( (*p) == 105 )
		goto st2669;
	goto st0;
st2669:
	if ( ++p == pe )
		goto _test_eof2669;
case 2669:
	if ( (*p) == 98 )
		goto st2670;
	goto st0;
st2670:
	if ( ++p == pe )
		goto _test_eof2670;
case 2670:
	if ( (*p) == 97 )
		goto st2671;
	goto st0;
st2671:
	if ( ++p == pe )
		goto _test_eof2671;
case 2671:
	if ( (*p) == 115 )
		goto st2672;
	goto st0;
st2672:
	if ( ++p == pe )
		goto _test_eof2672;
case 2672:
	if ( (*p) == 116 )
		goto st2673;
	goto st0;
st2673:
	if ( ++p == pe )
		goto _test_eof2673;
case 2673:
	if ( (*p) == 122 )
		goto st2674;
	goto st0;
st2674:
	if ( ++p == pe )
		goto _test_eof2674;
case 2674:
	if ( (*p) == 97 )
		goto st2675;
	goto st0;
st2675:
	if ( ++p == pe )
		goto _test_eof2675;
case 2675:
	if ( (*p) == 110 )
		goto st2676;
	goto st0;
st2676:
	if ( ++p == pe )
		goto _test_eof2676;
case 2676:
	if ( (*p) == 115 )
		goto st2677;
	goto st0;
st2677:
	if ( ++p == pe )
		goto _test_eof2677;
case 2677:
	if ( (*p) == 111 )
		goto tr2911;
	goto st0;
st2678:
	if ( ++p == pe )
		goto _test_eof2678;
case 2678:
	if ( (*p) == 97 )
		goto tr2912;
	goto st0;
st2679:
	if ( ++p == pe )
		goto _test_eof2679;
case 2679:
	if ( (*p) == 118 )
		goto st2680;
	goto st0;
st2680:
	if ( ++p == pe )
		goto _test_eof2680;
case 2680:
	if ( (*p) == 117 )
		goto st2681;
	goto st0;
st2681:
	if ( ++p == pe )
		goto _test_eof2681;
case 2681:
	if ( (*p) == 114 )
		goto st2682;
	goto st0;
st2682:
	if ( ++p == pe )
		goto _test_eof2682;
case 2682:
	if ( (*p) == 98 )
		goto st2683;
	goto st0;
st2683:
	if ( ++p == pe )
		goto _test_eof2683;
case 2683:
	if ( (*p) == 117 )
		goto st2684;
	goto st0;
st2684:
	if ( ++p == pe )
		goto _test_eof2684;
case 2684:
	if ( (*p) == 110 )
		goto st2685;
	goto st0;
st2685:
	if ( ++p == pe )
		goto _test_eof2685;
case 2685:
	if ( (*p) == 102 )
		goto st2686;
	goto st0;
st2686:
	if ( ++p == pe )
		goto _test_eof2686;
case 2686:
	if ( (*p) == 101 )
		goto st2687;
	goto st0;
st2687:
	if ( ++p == pe )
		goto _test_eof2687;
case 2687:
	if ( (*p) == 114 )
		goto st2688;
	goto st0;
st2688:
	if ( ++p == pe )
		goto _test_eof2688;
case 2688:
	if ( (*p) == 103 )
		goto st2689;
	goto st0;
st2689:
	if ( ++p == pe )
		goto _test_eof2689;
case 2689:
	if ( (*p) == 101 )
		goto tr2923;
	goto st0;
st2690:
	if ( ++p == pe )
		goto _test_eof2690;
case 2690:
	if ( (*p) == 116 )
		goto st2691;
	goto st0;
st2691:
	if ( ++p == pe )
		goto _test_eof2691;
case 2691:
	if ( (*p) == 110 )
		goto st2692;
	goto st0;
st2692:
	if ( ++p == pe )
		goto _test_eof2692;
case 2692:
	if ( (*p) == 117 )
		goto st2693;
	goto st0;
st2693:
	if ( ++p == pe )
		goto _test_eof2693;
case 2693:
	if ( (*p) == 109 )
		goto st2694;
	goto st0;
st2694:
	if ( ++p == pe )
		goto _test_eof2694;
case 2694:
	if ( (*p) == 111 )
		goto st2695;
	goto st0;
st2695:
	if ( ++p == pe )
		goto _test_eof2695;
case 2695:
	if ( (*p) == 112 )
		goto st2696;
	goto st0;
st2696:
	if ( ++p == pe )
		goto _test_eof2696;
case 2696:
	if ( (*p) == 101 )
		goto st2697;
	goto st0;
st2697:
	if ( ++p == pe )
		goto _test_eof2697;
case 2697:
	if ( (*p) == 110 )
		goto st2698;
	goto st0;
st2698:
	if ( ++p == pe )
		goto _test_eof2698;
case 2698:
	if ( (*p) == 110 )
		goto st2699;
	goto st0;
st2699:
	if ( ++p == pe )
		goto _test_eof2699;
case 2699:
	if ( (*p) == 111 )
		goto st2700;
	goto st0;
st2700:
	if ( ++p == pe )
		goto _test_eof2700;
case 2700:
	if ( (*p) == 115 )
		goto st2701;
	goto st0;
st2701:
	if ( ++p == pe )
		goto _test_eof2701;
case 2701:
	if ( (*p) == 111 )
		goto tr2935;
	goto st0;
st2702:
	if ( ++p == pe )
		goto _test_eof2702;
case 2702:
	switch( (*p) ) {
		case 97: goto st2703;
		case 101: goto st2754;
		case 105: goto st2819;
		case 111: goto st2861;
		case 117: goto st2912;
	}
	goto st0;
st2703:
	if ( ++p == pe )
		goto _test_eof2703;
case 2703:
	switch( (*p) ) {
		case 98: goto st2704;
		case 103: goto st2707;
		case 110: goto st2715;
		case 114: goto st2729;
		case 115: goto st2740;
	}
	goto st0;
st2704:
	if ( ++p == pe )
		goto _test_eof2704;
case 2704:
	if ( (*p) == 111 )
		goto st2705;
	goto st0;
st2705:
	if ( ++p == pe )
		goto _test_eof2705;
case 2705:
	if ( (*p) == 102 )
		goto st2706;
	goto st0;
st2706:
	if ( ++p == pe )
		goto _test_eof2706;
case 2706:
	if ( (*p) == 105 )
		goto tr2948;
	goto st0;
st2707:
	if ( ++p == pe )
		goto _test_eof2707;
case 2707:
	if ( (*p) == 117 )
		goto st2708;
	goto st0;
st2708:
	if ( ++p == pe )
		goto _test_eof2708;
case 2708:
	if ( (*p) == 122 )
		goto st2709;
	goto st0;
st2709:
	if ( ++p == pe )
		goto _test_eof2709;
case 2709:
	if ( (*p) == 97 )
		goto st2710;
	goto st0;
st2710:
	if ( ++p == pe )
		goto _test_eof2710;
case 2710:
	if ( (*p) == 110 )
		goto st2711;
	goto st0;
st2711:
	if ( ++p == pe )
		goto _test_eof2711;
case 2711:
	if ( (*p) == 102 )
		goto st2712;
	goto st0;
st2712:
	if ( ++p == pe )
		goto _test_eof2712;
case 2712:
	if ( (*p) == 117 )
		goto st2713;
	goto st0;
st2713:
	if ( ++p == pe )
		goto _test_eof2713;
case 2713:
	if ( (*p) == 103 )
		goto st2714;
	goto st0;
st2714:
	if ( ++p == pe )
		goto _test_eof2714;
case 2714:
	if ( (*p) == 97 )
		goto tr2956;
	goto st0;
st2715:
	if ( ++p == pe )
		goto _test_eof2715;
case 2715:
	if ( (*p) == 115 )
		goto st2716;
	goto st0;
st2716:
	if ( ++p == pe )
		goto _test_eof2716;
case 2716:
	if ( (*p) == 105 )
		goto st2717;
	goto st0;
st2717:
	if ( ++p == pe )
		goto _test_eof2717;
case 2717:
	if ( (*p) == 110 )
		goto st2718;
	goto st0;
st2718:
	if ( ++p == pe )
		goto _test_eof2718;
case 2718:
	if ( (*p) == 102 )
		goto st2719;
	goto st0;
st2719:
	if ( ++p == pe )
		goto _test_eof2719;
case 2719:
	if ( (*p) == 117 )
		goto st2720;
	goto st0;
st2720:
	if ( ++p == pe )
		goto _test_eof2720;
case 2720:
	if ( (*p) == 108 )
		goto st2721;
	goto st0;
st2721:
	if ( ++p == pe )
		goto _test_eof2721;
case 2721:
	if ( (*p) == 117 )
		goto st2722;
	goto st0;
st2722:
	if ( ++p == pe )
		goto _test_eof2722;
case 2722:
	if ( (*p) == 114 )
		goto st2723;
	goto st0;
st2723:
	if ( ++p == pe )
		goto _test_eof2723;
case 2723:
	if ( (*p) == 117 )
		goto st2724;
	goto st0;
st2724:
	if ( ++p == pe )
		goto _test_eof2724;
case 2724:
	if ( (*p) == 114 )
		goto st2725;
	goto st0;
st2725:
	if ( ++p == pe )
		goto _test_eof2725;
case 2725:
	if ( (*p) == 122 )
		goto st2726;
	goto st0;
st2726:
	if ( ++p == pe )
		goto _test_eof2726;
case 2726:
	if ( (*p) == 117 )
		goto st2727;
	goto st0;
st2727:
	if ( ++p == pe )
		goto _test_eof2727;
case 2727:
	if ( (*p) == 115 )
		goto st2728;
	goto st0;
st2728:
	if ( ++p == pe )
		goto _test_eof2728;
case 2728:
	if ( (*p) == 116 )
		goto tr2970;
	goto st0;
st2729:
	if ( ++p == pe )
		goto _test_eof2729;
case 2729:
	if ( (*p) == 117 )
		goto st2730;
	goto st0;
st2730:
	if ( ++p == pe )
		goto _test_eof2730;
case 2730:
	if ( (*p) == 114 )
		goto st2731;
	goto st0;
st2731:
	if ( ++p == pe )
		goto _test_eof2731;
case 2731:
	if ( (*p) == 110 )
		goto st2732;
	goto st0;
st2732:
	if ( ++p == pe )
		goto _test_eof2732;
case 2732:
	if ( (*p) == 105 )
		goto st2733;
	goto st0;
st2733:
	if ( ++p == pe )
		goto _test_eof2733;
case 2733:
	if ( (*p) == 114 )
		goto st2734;
	goto st0;
st2734:
	if ( ++p == pe )
		goto _test_eof2734;
case 2734:
	if ( (*p) == 110 )
		goto st2735;
	goto st0;
st2735:
	if ( ++p == pe )
		goto _test_eof2735;
case 2735:
	if ( (*p) == 105 )
		goto st2736;
	goto st0;
st2736:
	if ( ++p == pe )
		goto _test_eof2736;
case 2736:
	if ( (*p) == 100 )
		goto st2737;
	goto st0;
st2737:
	if ( ++p == pe )
		goto _test_eof2737;
case 2737:
	if ( (*p) == 105 )
		goto st2738;
	goto st0;
st2738:
	if ( ++p == pe )
		goto _test_eof2738;
case 2738:
	if ( (*p) == 107 )
		goto st2739;
	goto st0;
st2739:
	if ( ++p == pe )
		goto _test_eof2739;
case 2739:
	if ( (*p) == 97 )
		goto tr2981;
	goto st0;
st2740:
	if ( ++p == pe )
		goto _test_eof2740;
case 2740:
	if ( (*p) == 116 )
		goto st2741;
	goto st0;
st2741:
	if ( ++p == pe )
		goto _test_eof2741;
case 2741:
	if ( (*p) == 107 )
		goto st2742;
	goto st0;
st2742:
	if ( ++p == pe )
		goto _test_eof2742;
case 2742:
	if ( (*p) == 105 )
		goto st2743;
	goto st0;
st2743:
	if ( ++p == pe )
		goto _test_eof2743;
case 2743:
	if ( (*p) == 115 )
		goto st2744;
	goto st0;
st2744:
	if ( ++p == pe )
		goto _test_eof2744;
case 2744:
	if ( (*p) == 116 )
		goto st2745;
	goto st0;
st2745:
	if ( ++p == pe )
		goto _test_eof2745;
case 2745:
	if ( (*p) == 110 )
		goto st2746;
	goto st0;
st2746:
	if ( ++p == pe )
		goto _test_eof2746;
case 2746:
	if ( (*p) == 105 )
		goto st2747;
	goto st0;
st2747:
	if ( ++p == pe )
		goto _test_eof2747;
case 2747:
	if ( (*p) == 115 )
		goto st2748;
	goto st0;
st2748:
	if ( ++p == pe )
		goto _test_eof2748;
case 2748:
	if ( (*p) == 116 )
		goto st2749;
	goto st0;
st2749:
	if ( ++p == pe )
		goto _test_eof2749;
case 2749:
	if ( (*p) == 115 )
		goto st2750;
	goto st0;
st2750:
	if ( ++p == pe )
		goto _test_eof2750;
case 2750:
	if ( (*p) == 97 )
		goto st2751;
	goto st0;
st2751:
	if ( ++p == pe )
		goto _test_eof2751;
case 2751:
	if ( (*p) == 114 )
		goto st2752;
	goto st0;
st2752:
	if ( ++p == pe )
		goto _test_eof2752;
case 2752:
	if ( (*p) == 110 )
		goto st2753;
	goto st0;
st2753:
	if ( ++p == pe )
		goto _test_eof2753;
case 2753:
	if ( (*p) == 101 )
		goto tr2995;
	goto st0;
st2754:
	if ( ++p == pe )
		goto _test_eof2754;
case 2754:
	switch( (*p) ) {
		case 102: goto st2755;
		case 107: goto st2769;
		case 109: goto st2776;
		case 114: goto st2789;
		case 115: goto st2804;
	}
	goto st0;
st2755:
	if ( ++p == pe )
		goto _test_eof2755;
case 2755:
	if ( (*p) == 105 )
		goto st2756;
	goto st0;
st2756:
	if ( ++p == pe )
		goto _test_eof2756;
case 2756:
	if ( (*p) == 114 )
		goto st2757;
	goto st0;
st2757:
	if ( ++p == pe )
		goto _test_eof2757;
case 2757:
	if ( (*p) == 107 )
		goto st2758;
	goto st0;
st2758:
	if ( ++p == pe )
		goto _test_eof2758;
case 2758:
	if ( (*p) == 97 )
		goto st2759;
	goto st0;
st2759:
	if ( ++p == pe )
		goto _test_eof2759;
case 2759:
	if ( (*p) == 118 )
		goto st2760;
	goto st0;
st2760:
	if ( ++p == pe )
		goto _test_eof2760;
case 2760:
	if ( (*p) == 101 )
		goto st2761;
	goto st0;
st2761:
	if ( ++p == pe )
		goto _test_eof2761;
case 2761:
	if ( (*p) == 109 )
		goto st2762;
	goto st0;
st2762:
	if ( ++p == pe )
		goto _test_eof2762;
case 2762:
	if ( (*p) == 111 )
		goto st2763;
	goto st0;
st2763:
	if ( ++p == pe )
		goto _test_eof2763;
case 2763:
	if ( (*p) == 110 )
		goto st2764;
	goto st0;
st2764:
	if ( ++p == pe )
		goto _test_eof2764;
case 2764:
	if ( (*p) == 118 )
		goto st2765;
	goto st0;
st2765:
	if ( ++p == pe )
		goto _test_eof2765;
case 2765:
	if ( (*p) == 117 )
		goto st2766;
	goto st0;
st2766:
	if ( ++p == pe )
		goto _test_eof2766;
case 2766:
	if ( (*p) == 110 )
		goto st2767;
	goto st0;
st2767:
	if ( ++p == pe )
		goto _test_eof2767;
case 2767:
	if ( (*p) == 103 )
		goto st2768;
	goto st0;
st2768:
	if ( ++p == pe )
		goto _test_eof2768;
case 2768:
	if ( (*p) == 97 )
		goto tr3014;
	goto st0;
st2769:
	if ( ++p == pe )
		goto _test_eof2769;
case 2769:
	if ( (*p) == 97 )
		goto st2770;
	goto st0;
st2770:
	if ( ++p == pe )
		goto _test_eof2770;
case 2770:
	if ( (*p) == 114 )
		goto st2771;
	goto st0;
st2771:
	if ( ++p == pe )
		goto _test_eof2771;
case 2771:
	if ( (*p) == 114 )
		goto st2772;
	goto st0;
st2772:
	if ( ++p == pe )
		goto _test_eof2772;
case 2772:
	if ( (*p) == 117 )
		goto st2773;
	goto st0;
st2773:
	if ( ++p == pe )
		goto _test_eof2773;
case 2773:
	if ( (*p) == 110 )
		goto st2774;
	goto st0;
st2774:
	if ( ++p == pe )
		goto _test_eof2774;
case 2774:
	if ( (*p) == 101 )
		goto st2775;
	goto st0;
st2775:
	if ( ++p == pe )
		goto _test_eof2775;
case 2775:
	if ( (*p) == 114 )
		goto tr3021;
	goto st0;
st2776:
	if ( ++p == pe )
		goto _test_eof2776;
case 2776:
	if ( (*p) == 105 )
		goto st2777;
	goto st0;
st2777:
	if ( ++p == pe )
		goto _test_eof2777;
case 2777:
	if ( (*p) == 115 )
		goto st2778;
	goto st0;
st2778:
	if ( ++p == pe )
		goto _test_eof2778;
case 2778:
	if ( (*p) == 116 )
		goto st2779;
	goto st0;
st2779:
	if ( ++p == pe )
		goto _test_eof2779;
case 2779:
	if ( (*p) == 98 )
		goto st2780;
	goto st0;
st2780:
	if ( ++p == pe )
		goto _test_eof2780;
case 2780:
	if ( (*p) == 101 )
		goto st2781;
	goto st0;
st2781:
	if ( ++p == pe )
		goto _test_eof2781;
case 2781:
	if ( (*p) == 114 )
		goto st2782;
	goto st0;
st2782:
	if ( ++p == pe )
		goto _test_eof2782;
case 2782:
	if ( (*p) == 108 )
		goto st2783;
	goto st0;
st2783:
	if ( ++p == pe )
		goto _test_eof2783;
case 2783:
	if ( (*p) == 111 )
		goto st2784;
	goto st0;
st2784:
	if ( ++p == pe )
		goto _test_eof2784;
case 2784:
	if ( (*p) == 110 )
		goto st2785;
	goto st0;
st2785:
	if ( ++p == pe )
		goto _test_eof2785;
case 2785:
	if ( (*p) == 110 )
		goto st2786;
	goto st0;
st2786:
	if ( ++p == pe )
		goto _test_eof2786;
case 2786:
	if ( (*p) == 117 )
		goto st2787;
	goto st0;
st2787:
	if ( ++p == pe )
		goto _test_eof2787;
case 2787:
	if ( (*p) == 115 )
		goto st2788;
	goto st0;
st2788:
	if ( ++p == pe )
		goto _test_eof2788;
case 2788:
	if ( (*p) == 116 )
		goto tr3034;
	goto st0;
st2789:
	if ( ++p == pe )
		goto _test_eof2789;
case 2789:
	if ( (*p) == 122 )
		goto st2790;
	goto st0;
st2790:
	if ( ++p == pe )
		goto _test_eof2790;
case 2790:
	if ( (*p) == 105 )
		goto st2791;
	goto st0;
st2791:
	if ( ++p == pe )
		goto _test_eof2791;
case 2791:
	if ( (*p) == 116 )
		goto st2792;
	goto st0;
st2792:
	if ( ++p == pe )
		goto _test_eof2792;
case 2792:
	if ( (*p) == 97 )
		goto st2793;
	goto st0;
st2793:
	if ( ++p == pe )
		goto _test_eof2793;
case 2793:
	if ( (*p) == 112 )
		goto st2794;
	goto st0;
st2794:
	if ( ++p == pe )
		goto _test_eof2794;
case 2794:
	if ( (*p) == 101 )
		goto st2795;
	goto st0;
st2795:
	if ( ++p == pe )
		goto _test_eof2795;
case 2795:
	if ( (*p) == 109 )
		goto st2796;
	goto st0;
st2796:
	if ( ++p == pe )
		goto _test_eof2796;
case 2796:
	if ( (*p) == 111 )
		goto st2797;
	goto st0;
st2797:
	if ( ++p == pe )
		goto _test_eof2797;
case 2797:
	if ( (*p) == 102 )
		goto st2798;
	goto st0;
st2798:
	if ( ++p == pe )
		goto _test_eof2798;
case 2798:
	if ( (*p) == 97 )
		goto st2799;
	goto st0;
st2799:
	if ( ++p == pe )
		goto _test_eof2799;
case 2799:
	if ( (*p) == 114 )
		goto st2800;
	goto st0;
st2800:
	if ( ++p == pe )
		goto _test_eof2800;
case 2800:
	if ( (*p) == 102 )
		goto st2801;
	goto st0;
st2801:
	if ( ++p == pe )
		goto _test_eof2801;
case 2801:
	if ( (*p) == 111 )
		goto st2802;
	goto st0;
st2802:
	if ( ++p == pe )
		goto _test_eof2802;
case 2802:
	if ( (*p) == 115 )
		goto st2803;
	goto st0;
st2803:
	if ( ++p == pe )
		goto _test_eof2803;
case 2803:
	if ( (*p) == 116 )
		goto tr3049;
	goto st0;
st2804:
	if ( ++p == pe )
		goto _test_eof2804;
case 2804:
	switch( (*p) ) {
		case 101: goto st2805;
		case 116: goto st2814;
	}
	goto st0;
st2805:
	if ( ++p == pe )
		goto _test_eof2805;
case 2805:
	if ( (*p) == 114 )
		goto st2806;
	goto st0;
st2806:
	if ( ++p == pe )
		goto _test_eof2806;
case 2806:
	if ( (*p) == 101 )
		goto st2807;
	goto st0;
st2807:
	if ( ++p == pe )
		goto _test_eof2807;
case 2807:
	if ( (*p) == 110 )
		goto st2808;
	goto st0;
st2808:
	if ( ++p == pe )
		goto _test_eof2808;
case 2808:
	if ( (*p) == 100 )
		goto st2809;
	goto st0;
st2809:
	if ( ++p == pe )
		goto _test_eof2809;
case 2809:
	if ( (*p) == 97 )
		goto st2810;
	goto st0;
st2810:
	if ( ++p == pe )
		goto _test_eof2810;
case 2810:
	if ( (*p) == 116 )
		goto st2811;
	goto st0;
st2811:
	if ( ++p == pe )
		goto _test_eof2811;
case 2811:
	if ( (*p) == 105 )
		goto st2812;
	goto st0;
st2812:
	if ( ++p == pe )
		goto _test_eof2812;
case 2812:
	if ( (*p) == 115 )
		goto st2813;
	goto st0;
st2813:
	if ( ++p == pe )
		goto _test_eof2813;
case 2813:
	if ( (*p) == 116 )
		goto tr3060;
	goto st0;
st2814:
	if ( ++p == pe )
		goto _test_eof2814;
case 2814:
	if ( (*p) == 109 )
		goto st2815;
	goto st0;
st2815:
	if ( ++p == pe )
		goto _test_eof2815;
case 2815:
	if ( (*p) == 101 )
		goto st2816;
	goto st0;
st2816:
	if ( ++p == pe )
		goto _test_eof2816;
case 2816:
	if ( (*p) == 112 )
		goto st2817;
	goto st0;
st2817:
	if ( ++p == pe )
		goto _test_eof2817;
case 2817:
	if ( (*p) == 111 )
		goto st2818;
	goto st0;
st2818:
	if ( ++p == pe )
		goto _test_eof2818;
case 2818:
	if ( (*p) == 114 )
		goto tr3065;
	goto st0;
st2819:
	if ( ++p == pe )
		goto _test_eof2819;
case 2819:
	switch( (*p) ) {
		case 100: goto st2820;
		case 110: goto st2827;
		case 115: goto st2843;
		case 118: goto st2853;
	}
	goto st0;
st2820:
	if ( ++p == pe )
		goto _test_eof2820;
case 2820:
	if ( (*p) == 101 )
		goto st2821;
	goto st0;
st2821:
	if ( ++p == pe )
		goto _test_eof2821;
case 2821:
	if ( (*p) == 114 )
		goto st2822;
	goto st0;
st2822:
	if ( ++p == pe )
		goto _test_eof2822;
case 2822:
	if ( (*p) == 97 )
		goto st2823;
	goto st0;
st2823:
	if ( ++p == pe )
		goto _test_eof2823;
case 2823:
	if ( (*p) == 103 )
		goto st2824;
	goto st0;
st2824:
	if ( ++p == pe )
		goto _test_eof2824;
case 2824:
	if ( (*p) == 117 )
		goto st2825;
	goto st0;
st2825:
	if ( ++p == pe )
		goto _test_eof2825;
case 2825:
	if ( (*p) == 115 )
		goto st2826;
	goto st0;
st2826:
	if ( ++p == pe )
		goto _test_eof2826;
case 2826:
	if ( (*p) == 116 )
		goto tr3076;
	goto st0;
st2827:
	if ( ++p == pe )
		goto _test_eof2827;
case 2827:
	if ( (*p) == 115 )
		goto st2828;
	goto st0;
st2828:
	if ( ++p == pe )
		goto _test_eof2828;
case 2828:
	if ( (*p) == 117 )
		goto st2829;
	goto st0;
st2829:
	if ( ++p == pe )
		goto _test_eof2829;
case 2829:
	if ( (*p) == 115 )
		goto st2830;
	goto st0;
st2830:
	if ( ++p == pe )
		goto _test_eof2830;
case 2830:
	if ( (*p) == 116 )
		goto st2831;
	goto st0;
st2831:
	if ( ++p == pe )
		goto _test_eof2831;
case 2831:
	if ( (*p) == 107 )
		goto st2832;
	goto st0;
st2832:
	if ( ++p == pe )
		goto _test_eof2832;
case 2832:
	if ( (*p) == 105 )
		goto st2833;
	goto st0;
st2833:
	if ( ++p == pe )
		goto _test_eof2833;
case 2833:
	if ( (*p) == 114 )
		goto st2834;
	goto st0;
st2834:
	if ( ++p == pe )
		goto _test_eof2834;
case 2834:
	if ( (*p) == 108 )
		goto st2835;
	goto st0;
st2835:
	if ( ++p == pe )
		goto _test_eof2835;
case 2835:
	if ( (*p) == 101 )
		goto st2836;
	goto st0;
st2836:
	if ( ++p == pe )
		goto _test_eof2836;
case 2836:
	if ( (*p) == 110 )
		goto st2837;
	goto st0;
st2837:
	if ( ++p == pe )
		goto _test_eof2837;
case 2837:
	if ( (*p) == 109 )
		goto st2838;
	goto st0;
st2838:
	if ( ++p == pe )
		goto _test_eof2838;
case 2838:
	if ( (*p) == 105 )
		goto st2839;
	goto st0;
st2839:
	if ( ++p == pe )
		goto _test_eof2839;
case 2839:
	if ( (*p) == 110 )
		goto st2840;
	goto st0;
st2840:
	if ( ++p == pe )
		goto _test_eof2840;
case 2840:
	if ( (*p) == 100 )
		goto st2841;
	goto st0;
st2841:
	if ( ++p == pe )
		goto _test_eof2841;
case 2841:
	if ( (*p) == 117 )
		goto st2842;
	goto st0;
st2842:
	if ( ++p == pe )
		goto _test_eof2842;
case 2842:
	if ( (*p) == 114 )
		goto tr3092;
	goto st0;
st2843:
	if ( ++p == pe )
		goto _test_eof2843;
case 2843:
	if ( (*p) == 116 )
		goto st2844;
	goto st0;
st2844:
	if ( ++p == pe )
		goto _test_eof2844;
case 2844:
	if ( (*p) == 98 )
		goto st2845;
	goto st0;
st2845:
	if ( ++p == pe )
		goto _test_eof2845;
case 2845:
	if ( (*p) == 105 )
		goto st2846;
	goto st0;
st2846:
	if ( ++p == pe )
		goto _test_eof2846;
case 2846:
	if ( (*p) == 115 )
		goto st2847;
	goto st0;
st2847:
	if ( ++p == pe )
		goto _test_eof2847;
case 2847:
	if ( (*p) == 116 )
		goto st2848;
	goto st0;
st2848:
	if ( ++p == pe )
		goto _test_eof2848;
case 2848:
	if ( (*p) == 118 )
		goto st2849;
	goto st0;
st2849:
	if ( ++p == pe )
		goto _test_eof2849;
case 2849:
	if ( (*p) == 105 )
		goto st2850;
	goto st0;
st2850:
	if ( ++p == pe )
		goto _test_eof2850;
case 2850:
	if ( (*p) == 108 )
		goto st2851;
	goto st0;
st2851:
	if ( ++p == pe )
		goto _test_eof2851;
case 2851:
	if ( (*p) == 111 )
		goto st2852;
	goto st0;
st2852:
	if ( ++p == pe )
		goto _test_eof2852;
case 2852:
	if ( (*p) == 110 )
		goto tr3102;
	goto st0;
st2853:
	if ( ++p == pe )
		goto _test_eof2853;
case 2853:
	if ( (*p) == 105 )
		goto st2854;
	goto st0;
st2854:
	if ( ++p == pe )
		goto _test_eof2854;
case 2854:
	if ( (*p) == 110 )
		goto st2855;
	goto st0;
st2855:
	if ( ++p == pe )
		goto _test_eof2855;
case 2855:
	if ( (*p) == 108 )
		goto st2856;
	goto st0;
st2856:
	if ( ++p == pe )
		goto _test_eof2856;
case 2856:
	if ( (*p) == 111 )
		goto st2857;
	goto st0;
st2857:
	if ( ++p == pe )
		goto _test_eof2857;
case 2857:
	if ( (*p) == 100 )
		goto st2858;
	goto st0;
st2858:
	if ( ++p == pe )
		goto _test_eof2858;
case 2858:
	if ( (*p) == 97 )
		goto st2859;
	goto st0;
st2859:
	if ( ++p == pe )
		goto _test_eof2859;
case 2859:
	if ( (*p) == 114 )
		goto st2860;
	goto st0;
st2860:
	if ( ++p == pe )
		goto _test_eof2860;
case 2860:
	if ( (*p) == 105 )
		goto tr3110;
	goto st0;
st2861:
	if ( ++p == pe )
		goto _test_eof2861;
case 2861:
	switch( (*p) ) {
		case 100: goto st2862;
		case 108: goto st2873;
		case 115: goto st2893;
		case 122: goto st2904;
	}
	goto st0;
st2862:
	if ( ++p == pe )
		goto _test_eof2862;
case 2862:
	if ( (*p) == 111 )
		goto st2863;
	goto st0;
st2863:
	if ( ++p == pe )
		goto _test_eof2863;
case 2863:
	if ( (*p) == 114 )
		goto st2864;
	goto st0;
st2864:
	if ( ++p == pe )
		goto _test_eof2864;
case 2864:
	if ( (*p) == 98 )
		goto st2865;
	goto st0;
st2865:
	if ( ++p == pe )
		goto _test_eof2865;
case 2865:
	if ( (*p) == 111 )
		goto st2866;
	goto st0;
st2866:
	if ( ++p == pe )
		goto _test_eof2866;
case 2866:
	if ( (*p) == 114 )
		goto st2867;
	goto st0;
st2867:
	if ( ++p == pe )
		goto _test_eof2867;
case 2867:
	if ( (*p) == 115 )
		goto st2868;
	goto st0;
st2868:
	if ( ++p == pe )
		goto _test_eof2868;
case 2868:
	if ( (*p) == 105 )
		goto st2869;
	goto st0;
st2869:
	if ( ++p == pe )
		goto _test_eof2869;
case 2869:
	if ( (*p) == 114 )
		goto st2870;
	goto st0;
st2870:
	if ( ++p == pe )
		goto _test_eof2870;
case 2870:
	if ( (*p) == 118 )
		goto st2871;
	goto st0;
st2871:
	if ( ++p == pe )
		goto _test_eof2871;
case 2871:
	if ( (*p) == 101 )
		goto st2872;
	goto st0;
st2872:
	if ( ++p == pe )
		goto _test_eof2872;
case 2872:
	if ( (*p) == 114 )
		goto tr3125;
	goto st0;
st2873:
	if ( ++p == pe )
		goto _test_eof2873;
case 2873:
	if ( (*p) == 117 )
		goto st2874;
	goto st0;
st2874:
	if ( ++p == pe )
		goto _test_eof2874;
case 2874:
	if ( (*p) == 114 )
		goto st2875;
	goto st0;
st2875:
	if ( ++p == pe )
		goto _test_eof2875;
case 2875:
	if ( (*p) == 115 )
		goto st2876;
	goto st0;
st2876:
	if ( ++p == pe )
		goto _test_eof2876;
case 2876:
	if ( (*p) == 117 )
		goto st2877;
	goto st0;
st2877:
	if ( ++p == pe )
		goto _test_eof2877;
case 2877:
	if ( (*p) == 103 )
		goto st2878;
	goto st0;
st2878:
	if ( ++p == pe )
		goto _test_eof2878;
case 2878:
	if ( (*p) == 101 )
		goto st2879;
	goto st0;
st2879:
	if ( ++p == pe )
		goto _test_eof2879;
case 2879:
	if ( (*p) == 115 )
		goto st2880;
	goto st0;
st2880:
	if ( ++p == pe )
		goto _test_eof2880;
case 2880:
	if ( (*p) == 116 )
		goto st2881;
	goto st0;
st2881:
	if ( ++p == pe )
		goto _test_eof2881;
case 2881:
	if ( (*p) == 116 )
		goto st2882;
	goto st0;
st2882:
	if ( ++p == pe )
		goto _test_eof2882;
case 2882:
	if ( (*p) == 111 )
		goto st2883;
	goto st0;
st2883:
	if ( ++p == pe )
		goto _test_eof2883;
case 2883:
	if ( (*p) == 108 )
		goto st2884;
	goto st0;
st2884:
	if ( ++p == pe )
		goto _test_eof2884;
case 2884:
	if ( (*p) == 101 )
		goto st2885;
	goto st0;
st2885:
	if ( ++p == pe )
		goto _test_eof2885;
case 2885:
	if ( (*p) == 103 )
		goto st2886;
	goto st0;
st2886:
	if ( ++p == pe )
		goto _test_eof2886;
case 2886:
	if ( (*p) == 111 )
		goto st2887;
	goto st0;
st2887:
	if ( ++p == pe )
		goto _test_eof2887;
case 2887:
	if ( (*p) == 115 )
		goto st2888;
	goto st0;
st2888:
	if ( ++p == pe )
		goto _test_eof2888;
case 2888:
	if ( (*p) == 116 )
		goto st2889;
	goto st0;
st2889:
	if ( ++p == pe )
		goto _test_eof2889;
case 2889:
	if ( (*p) == 115 )
		goto st2890;
	goto st0;
st2890:
	if ( ++p == pe )
		goto _test_eof2890;
case 2890:
	if ( (*p) == 101 )
		goto st2891;
	goto st0;
st2891:
	if ( ++p == pe )
		goto _test_eof2891;
case 2891:
	if ( (*p) == 115 )
		goto st2892;
	goto st0;
st2892:
	if ( ++p == pe )
		goto _test_eof2892;
case 2892:
	if ( (*p) == 116 )
		goto tr3145;
	goto st0;
st2893:
	if ( ++p == pe )
		goto _test_eof2893;
case 2893:
	if ( (*p) == 116 )
		goto st2894;
	goto st0;
st2894:
	if ( ++p == pe )
		goto _test_eof2894;
case 2894:
	if ( (*p) == 110 )
		goto st2895;
	goto st0;
st2895:
	if ( ++p == pe )
		goto _test_eof2895;
case 2895:
	if ( (*p) == 101 )
		goto st2896;
	goto st0;
st2896:
	if ( ++p == pe )
		goto _test_eof2896;
case 2896:
	if ( (*p) == 108 )
		goto st2897;
	goto st0;
st2897:
	if ( ++p == pe )
		goto _test_eof2897;
case 2897:
	if ( (*p) == 117 )
		goto st2898;
	goto st0;
st2898:
	if ( ++p == pe )
		goto _test_eof2898;
case 2898:
	if ( (*p) == 110 )
		goto st2899;
	goto st0;
st2899:
	if ( ++p == pe )
		goto _test_eof2899;
case 2899:
	if ( (*p) == 103 )
		goto st2900;
	goto st0;
st2900:
	if ( ++p == pe )
		goto _test_eof2900;
case 2900:
	if ( (*p) == 117 )
		goto st2901;
	goto st0;
st2901:
	if ( ++p == pe )
		goto _test_eof2901;
case 2901:
	if ( (*p) == 114 )
		goto st2902;
	goto st0;
st2902:
	if ( ++p == pe )
		goto _test_eof2902;
case 2902:
	if ( (*p) == 112 )
		goto st2903;
	goto st0;
st2903:
	if ( ++p == pe )
		goto _test_eof2903;
case 2903:
	if ( (*p) == 117 )
		goto tr3156;
	goto st0;
st2904:
	if ( ++p == pe )
		goto _test_eof2904;
case 2904:
	if ( (*p) == 105 )
		goto st2905;
	goto st0;
st2905:
	if ( ++p == pe )
		goto _test_eof2905;
case 2905:
	if ( (*p) == 107 )
		goto st2906;
	goto st0;
st2906:
	if ( ++p == pe )
		goto _test_eof2906;
case 2906:
	if ( (*p) == 111 )
		goto st2907;
	goto st0;
st2907:
	if ( ++p == pe )
		goto _test_eof2907;
case 2907:
	if ( (*p) == 116 )
		goto st2908;
	goto st0;
st2908:
	if ( ++p == pe )
		goto _test_eof2908;
case 2908:
	if ( (*p) == 105 )
		goto st2909;
	goto st0;
st2909:
	if ( ++p == pe )
		goto _test_eof2909;
case 2909:
	if ( (*p) == 114 )
		goto st2910;
	goto st0;
st2910:
	if ( ++p == pe )
		goto _test_eof2910;
case 2910:
	if ( (*p) == 103 )
		goto st2911;
	goto st0;
st2911:
	if ( ++p == pe )
		goto _test_eof2911;
case 2911:
	if ( (*p) == 111 )
		goto tr3164;
	goto st0;
st2912:
	if ( ++p == pe )
		goto _test_eof2912;
case 2912:
	switch( (*p) ) {
		case 109: goto st2913;
		case 110: goto st2915;
		case 114: goto st2926;
		case 115: goto st2935;
		case 116: goto st2942;
	}
	goto st0;
st2913:
	if ( ++p == pe )
		goto _test_eof2913;
case 2913:
	if ( (*p) == 101 )
		goto st2914;
	goto st0;
st2914:
	if ( ++p == pe )
		goto _test_eof2914;
case 2914:
	if ( (*p) == 110 )
		goto tr3171;
	goto st0;
st2915:
	if ( ++p == pe )
		goto _test_eof2915;
case 2915:
	if ( (*p) == 107 )
		goto st2916;
	goto st0;
st2916:
	if ( ++p == pe )
		goto _test_eof2916;
case 2916:
	if ( (*p) == 117 )
		goto st2917;
	goto st0;
st2917:
	if ( ++p == pe )
		goto _test_eof2917;
case 2917:
	if ( (*p) == 112 )
		goto st2918;
	goto st0;
st2918:
	if ( ++p == pe )
		goto _test_eof2918;
case 2918:
	if ( (*p) == 101 )
		goto st2919;
	goto st0;
st2919:
	if ( ++p == pe )
		goto _test_eof2919;
case 2919:
	if ( (*p) == 114 )
		goto st2920;
	goto st0;
st2920:
	if ( ++p == pe )
		goto _test_eof2920;
case 2920:
	if ( (*p) == 122 )
		goto st2921;
	goto st0;
st2921:
	if ( ++p == pe )
		goto _test_eof2921;
case 2921:
	if ( (*p) == 101 )
		goto st2922;
	goto st0;
st2922:
	if ( ++p == pe )
		goto _test_eof2922;
case 2922:
	if ( (*p) == 114 )
		goto st2923;
	goto st0;
st2923:
	if ( ++p == pe )
		goto _test_eof2923;
case 2923:
	if ( (*p) == 114 )
		goto st2924;
	goto st0;
st2924:
	if ( ++p == pe )
		goto _test_eof2924;
case 2924:
	if ( (*p) == 117 )
		goto st2925;
	goto st0;
st2925:
	if ( ++p == pe )
		goto _test_eof2925;
case 2925:
	if ( (*p) == 110 )
		goto tr3182;
	goto st0;
st2926:
	if ( ++p == pe )
		goto _test_eof2926;
case 2926:
	if ( (*p) == 115 )
		goto st2927;
	goto st0;
st2927:
	if ( ++p == pe )
		goto _test_eof2927;
case 2927:
	if ( (*p) == 105 )
		goto st2928;
	goto st0;
st2928:
	if ( ++p == pe )
		goto _test_eof2928;
case 2928:
	if ( (*p) == 115 )
		goto st2929;
	goto st0;
st2929:
	if ( ++p == pe )
		goto _test_eof2929;
case 2929:
	if ( (*p) == 117 )
		goto st2930;
	goto st0;
st2930:
	if ( ++p == pe )
		goto _test_eof2930;
case 2930:
	if ( (*p) == 115 )
		goto st2931;
	goto st0;
st2931:
	if ( ++p == pe )
		goto _test_eof2931;
case 2931:
	if ( (*p) == 116 )
		goto st2932;
	goto st0;
st2932:
	if ( ++p == pe )
		goto _test_eof2932;
case 2932:
	if ( (*p) == 109 )
		goto st2933;
	goto st0;
st2933:
	if ( ++p == pe )
		goto _test_eof2933;
case 2933:
	if ( (*p) == 101 )
		goto st2934;
	goto st0;
st2934:
	if ( ++p == pe )
		goto _test_eof2934;
case 2934:
	if ( (*p) == 110 )
		goto tr3191;
	goto st0;
st2935:
	if ( ++p == pe )
		goto _test_eof2935;
case 2935:
	if ( (*p) == 116 )
		goto st2936;
	goto st0;
st2936:
	if ( ++p == pe )
		goto _test_eof2936;
case 2936:
	if ( (*p) == 110 )
		goto st2937;
	goto st0;
st2937:
	if ( ++p == pe )
		goto _test_eof2937;
case 2937:
	if ( (*p) == 111 )
		goto st2938;
	goto st0;
st2938:
	if ( ++p == pe )
		goto _test_eof2938;
case 2938:
	if ( (*p) == 98 )
		goto st2939;
	goto st0;
st2939:
	if ( ++p == pe )
		goto _test_eof2939;
case 2939:
	if ( (*p) == 105 )
		goto st2940;
	goto st0;
st2940:
	if ( ++p == pe )
		goto _test_eof2940;
case 2940:
	if ( (*p) == 115 )
		goto st2941;
	goto st0;
st2941:
	if ( ++p == pe )
		goto _test_eof2941;
case 2941:
	if ( (*p) == 116 )
		goto tr3198;
	goto st0;
st2942:
	if ( ++p == pe )
		goto _test_eof2942;
case 2942:
	if ( (*p) == 97 )
		goto st2943;
	goto st0;
st2943:
	if ( ++p == pe )
		goto _test_eof2943;
case 2943:
	if ( (*p) == 110 )
		goto st2944;
	goto st0;
st2944:
	if ( ++p == pe )
		goto _test_eof2944;
case 2944:
	if ( (*p) == 107 )
		goto st2945;
	goto st0;
st2945:
	if ( ++p == pe )
		goto _test_eof2945;
case 2945:
	if ( (*p) == 97 )
		goto st2946;
	goto st0;
st2946:
	if ( ++p == pe )
		goto _test_eof2946;
case 2946:
	if ( (*p) == 102 )
		goto st2947;
	goto st0;
st2947:
	if ( ++p == pe )
		goto _test_eof2947;
case 2947:
	if ( (*p) == 105 )
		goto st2948;
	goto st0;
st2948:
	if ( ++p == pe )
		goto _test_eof2948;
case 2948:
	if ( (*p) == 110 )
		goto tr3205;
	goto st0;
st2949:
	if ( ++p == pe )
		goto _test_eof2949;
case 2949:
	switch( (*p) ) {
		case 97: goto st2950;
		case 101: goto st2980;
		case 105: goto st3053;
		case 111: goto st3131;
		case 117: goto st3188;
	}
	goto st0;
st2950:
	if ( ++p == pe )
		goto _test_eof2950;
case 2950:
	switch( (*p) ) {
		case 110: goto st2951;
		case 114: goto st2971;
	}
	goto st0;
st2951:
	if ( ++p == pe )
		goto _test_eof2951;
case 2951:
	if ( (*p) == 112 )
		goto st2952;
	goto st0;
st2952:
	if ( ++p == pe )
		goto _test_eof2952;
case 2952:
	if ( (*p) == 105 )
		goto st2953;
	goto st0;
st2953:
	if ( ++p == pe )
		goto _test_eof2953;
case 2953:
	if ( (*p) == 115 )
		goto st2954;
	goto st0;
st2954:
	if ( ++p == pe )
		goto _test_eof2954;
case 2954:
	if ( (*p) == 116 )
		goto st2955;
	goto st0;
st2955:
	if ( ++p == pe )
		goto _test_eof2955;
case 2955:
	if ( (*p) == 112 )
		goto st2956;
	goto st0;
st2956:
	if ( ++p == pe )
		goto _test_eof2956;
case 2956:
	if ( (*p) == 117 )
		goto st2957;
	goto st0;
st2957:
	if ( ++p == pe )
		goto _test_eof2957;
case 2957:
	if ( (*p) == 115 )
		goto st2958;
	goto st0;
st2958:
	if ( ++p == pe )
		goto _test_eof2958;
case 2958:
	if ( (*p) == 116 )
		goto st2959;
	goto st0;
st2959:
	if ( ++p == pe )
		goto _test_eof2959;
case 2959:
	if ( (*p) == 107 )
		goto st2960;
	goto st0;
st2960:
	if ( ++p == pe )
		goto _test_eof2960;
case 2960:
	if ( (*p) == 97 )
		goto st2961;
	goto st0;
st2961:
	if ( ++p == pe )
		goto _test_eof2961;
case 2961:
	if ( (*p) == 114 )
		goto st2962;
	goto st0;
st2962:
	if ( ++p == pe )
		goto _test_eof2962;
case 2962:
	if ( (*p) == 122 )
		goto st2963;
	goto st0;
st2963:
	if ( ++p == pe )
		goto _test_eof2963;
case 2963:
	if ( (*p) == 105 )
		goto st2964;
	goto st0;
st2964:
	if ( ++p == pe )
		goto _test_eof2964;
case 2964:
	if ( (*p) == 110 )
		goto st2965;
	goto st0;
st2965:
	if ( ++p == pe )
		goto _test_eof2965;
case 2965:
	if ( (*p) == 110 )
		goto st2966;
	goto st0;
st2966:
	if ( ++p == pe )
		goto _test_eof2966;
case 2966:
	if ( (*p) == 105 )
		goto st2967;
	goto st0;
st2967:
	if ( ++p == pe )
		goto _test_eof2967;
case 2967:
	if ( (*p) == 110 )
		goto st2968;
	goto st0;
st2968:
	if ( ++p == pe )
		goto _test_eof2968;
case 2968:
	if ( (*p) == 98 )
		goto st2969;
	goto st0;
st2969:
	if ( ++p == pe )
		goto _test_eof2969;
case 2969:
	if ( (*p) == 101 )
		goto st2970;
	goto st0;
st2970:
	if ( ++p == pe )
		goto _test_eof2970;
case 2970:
	if ( (*p) == 110 )
		goto tr3232;
	goto st0;
st2971:
	if ( ++p == pe )
		goto _test_eof2971;
case 2971:
	switch( (*p) ) {
		case 107: goto st2972;
		case 118: goto st2976;
	}
	goto st0;
st2972:
	if ( ++p == pe )
		goto _test_eof2972;
case 2972:
	if ( (*p) == 101 )
		goto st2973;
	goto st0;
st2973:
	if ( ++p == pe )
		goto _test_eof2973;
case 2973:
	if ( (*p) == 107 )
		goto st2974;
	goto st0;
st2974:
	if ( ++p == pe )
		goto _test_eof2974;
case 2974:
	if ( (*p) == 101 )
		goto st2975;
	goto st0;
st2975:
	if ( ++p == pe )
		goto _test_eof2975;
case 2975:
	if ( (*p) == 114 )
		goto tr3238;
	goto st0;
st2976:
	if ( ++p == pe )
		goto _test_eof2976;
case 2976:
	if ( (*p) == 101 )
		goto st2977;
	goto st0;
st2977:
	if ( ++p == pe )
		goto _test_eof2977;
case 2977:
	if ( (*p) == 114 )
		goto st2978;
	goto st0;
st2978:
	if ( ++p == pe )
		goto _test_eof2978;
case 2978:
	if ( (*p) == 100 )
		goto st2979;
	goto st0;
st2979:
	if ( ++p == pe )
		goto _test_eof2979;
case 2979:
	if ( (*p) == 101 )
		goto tr3242;
	goto st0;
st2980:
	if ( ++p == pe )
		goto _test_eof2980;
case 2980:
	switch( (*p) ) {
		case 110: goto st2981;
		case 114: goto st3024;
		case 115: goto st3045;
	}
	goto st0;
st2981:
	if ( ++p == pe )
		goto _test_eof2981;
case 2981:
	switch( (*p) ) {
		case 103: goto st2982;
		case 112: goto st2996;
		case 118: goto st3009;
	}
	goto st0;
st2982:
	if ( ++p == pe )
		goto _test_eof2982;
case 2982:
	if ( (*p) == 101 )
		goto st2983;
	goto st0;
st2983:
	if ( ++p == pe )
		goto _test_eof2983;
case 2983:
	if ( (*p) == 115 )
		goto st2984;
	goto st0;
st2984:
	if ( ++p == pe )
		goto _test_eof2984;
case 2984:
	if ( (*p) == 116 )
		goto st2985;
	goto st0;
st2985:
	if ( ++p == pe )
		goto _test_eof2985;
case 2985:
	if ( (*p) == 118 )
		goto st2986;
	goto st0;
st2986:
	if ( ++p == pe )
		goto _test_eof2986;
case 2986:
	if ( (*p) == 97 )
		goto st2987;
	goto st0;
st2987:
	if ( ++p == pe )
		goto _test_eof2987;
case 2987:
	if ( (*p) == 114 )
		goto st2988;
	goto st0;
st2988:
	if ( ++p == pe )
		goto _test_eof2988;
case 2988:
	if ( (*p) == 105 )
		goto st2989;
	goto st0;
st2989:
	if ( ++p == pe )
		goto _test_eof2989;
case 2989:
	if ( (*p) == 115 )
		goto st2990;
	goto st0;
st2990:
	if ( ++p == pe )
		goto _test_eof2990;
case 2990:
	if ( (*p) == 116 )
		goto st2991;
	goto st0;
st2991:
	if ( ++p == pe )
		goto _test_eof2991;
case 2991:
	if ( (*p) == 103 )
		goto st2992;
	goto st0;
st2992:
	if ( ++p == pe )
		goto _test_eof2992;
case 2992:
	if ( (*p) == 105 )
		goto st2993;
	goto st0;
st2993:
	if ( ++p == pe )
		goto _test_eof2993;
case 2993:
	if ( (*p) == 115 )
		goto st2994;
	goto st0;
st2994:
	if ( ++p == pe )
		goto _test_eof2994;
case 2994:
	if ( (*p) == 105 )
		goto st2995;
	goto st0;
st2995:
	if ( ++p == pe )
		goto _test_eof2995;
case 2995:
	if ( (*p) == 110 )
		goto tr3262;
	goto st0;
st2996:
	if ( ++p == pe )
		goto _test_eof2996;
case 2996:
	if ( (*p) == 117 )
		goto st2997;
	goto st0;
st2997:
	if ( ++p == pe )
		goto _test_eof2997;
case 2997:
	if ( (*p) == 110 )
		goto st2998;
	goto st0;
st2998:
	if ( ++p == pe )
		goto _test_eof2998;
case 2998:
	if ( (*p) == 114 )
		goto st2999;
	goto st0;
st2999:
	if ( ++p == pe )
		goto _test_eof2999;
case 2999:
	if ( (*p) == 101 )
		goto st3000;
	goto st0;
st3000:
	if ( ++p == pe )
		goto _test_eof3000;
case 3000:
	if ( (*p) == 112 )
		goto st3001;
	goto st0;
st3001:
	if ( ++p == pe )
		goto _test_eof3001;
case 3001:
	if ( (*p) == 117 )
		goto st3002;
	goto st0;
st3002:
	if ( ++p == pe )
		goto _test_eof3002;
case 3002:
	if ( (*p) == 115 )
		goto st3003;
	goto st0;
st3003:
	if ( ++p == pe )
		goto _test_eof3003;
case 3003:
	if ( (*p) == 116 )
		goto st3004;
	goto st0;
st3004:
	if ( ++p == pe )
		goto _test_eof3004;
case 3004:
	if ( (*p) == 108 )
		goto st3005;
	goto st0;
st3005:
	if ( ++p == pe )
		goto _test_eof3005;
case 3005:
	if ( (*p) == 111 )
		goto st3006;
	goto st0;
st3006:
	if ( ++p == pe )
		goto _test_eof3006;
case 3006:
	if ( (*p) == 110 )
		goto st3007;
	goto st0;
st3007:
	if ( ++p == pe )
		goto _test_eof3007;
case 3007:
	if ( (*p) == 103 )
		goto st3008;
	goto st0;
st3008:
	if ( ++p == pe )
		goto _test_eof3008;
case 3008:
	if ( (*p) == 101 )
		goto tr3275;
	goto st0;
st3009:
	if ( ++p == pe )
		goto _test_eof3009;
case 3009:
	if ( (*p) == 111 )
		goto st3010;
	goto st0;
st3010:
	if ( ++p == pe )
		goto _test_eof3010;
case 3010:
	if ( (*p) == 116 )
		goto st3011;
	goto st0;
st3011:
	if ( ++p == pe )
		goto _test_eof3011;
case 3011:
	if ( (*p) == 105 )
		goto st3012;
	goto st0;
st3012:
	if ( ++p == pe )
		goto _test_eof3012;
case 3012:
	if ( (*p) == 114 )
		goto st3013;
	goto st0;
st3013:
	if ( ++p == pe )
		goto _test_eof3013;
case 3013:
	if ( (*p) == 103 )
		goto st3014;
	goto st0;
st3014:
	if ( ++p == pe )
		goto _test_eof3014;
case 3014:
	if ( (*p) == 97 )
		goto st3015;
	goto st0;
st3015:
	if ( ++p == pe )
		goto _test_eof3015;
case 3015:
	if ( (*p) == 118 )
		goto st3016;
	goto st0;
st3016:
	if ( ++p == pe )
		goto _test_eof3016;
case 3016:
	if ( (*p) == 111 )
		goto st3017;
	goto st0;
st3017:
	if ( ++p == pe )
		goto _test_eof3017;
case 3017:
	if ( (*p) == 98 )
		goto st3018;
	goto st0;
st3018:
	if ( ++p == pe )
		goto _test_eof3018;
case 3018:
	if ( (*p) == 105 )
		goto st3019;
	goto st0;
st3019:
	if ( ++p == pe )
		goto _test_eof3019;
case 3019:
	if ( (*p) == 115 )
		goto st3020;
	goto st0;
st3020:
	if ( ++p == pe )
		goto _test_eof3020;
case 3020:
	if ( (*p) == 116 )
		goto st3021;
	goto st0;
st3021:
	if ( ++p == pe )
		goto _test_eof3021;
case 3021:
	if ( (*p) == 108 )
		goto st3022;
	goto st0;
st3022:
	if ( ++p == pe )
		goto _test_eof3022;
case 3022:
	if ( (*p) == 117 )
		goto st3023;
	goto st0;
st3023:
	if ( ++p == pe )
		goto _test_eof3023;
case 3023:
	if ( (*p) == 114 )
		goto tr3290;
	goto st0;
st3024:
	if ( ++p == pe )
		goto _test_eof3024;
case 3024:
	switch( (*p) ) {
		case 101: goto st3025;
		case 111: goto st3041;
	}
	goto st0;
st3025:
	if ( ++p == pe )
		goto _test_eof3025;
case 3025:
	if ( (*p) == 108 )
		goto st3026;
	goto st0;
st3026:
	if ( ++p == pe )
		goto _test_eof3026;
case 3026:
	if ( (*p) == 101 )
		goto st3027;
	goto st0;
st3027:
	if ( ++p == pe )
		goto _test_eof3027;
case 3027:
	if ( (*p) == 116 )
		goto st3028;
	goto st0;
st3028:
	if ( ++p == pe )
		goto _test_eof3028;
case 3028:
	if ( (*p) == 101 )
		goto st3029;
	goto st0;
st3029:
	if ( ++p == pe )
		goto _test_eof3029;
case 3029:
	if ( (*p) == 115 )
		goto st3030;
	goto st0;
st3030:
	if ( ++p == pe )
		goto _test_eof3030;
case 3030:
	if ( (*p) == 116 )
		goto st3031;
	goto st0;
st3031:
	if ( ++p == pe )
		goto _test_eof3031;
case 3031:
	if ( (*p) == 98 )
		goto st3032;
	goto st0;
st3032:
	if ( ++p == pe )
		goto _test_eof3032;
case 3032:
	if ( (*p) == 97 )
		goto st3033;
	goto st0;
st3033:
	if ( ++p == pe )
		goto _test_eof3033;
case 3033:
	if ( (*p) == 115 )
		goto st3034;
	goto st0;
st3034:
	if ( ++p == pe )
		goto _test_eof3034;
case 3034:
	if ( (*p) == 116 )
		goto st3035;
	goto st0;
st3035:
	if ( ++p == pe )
		goto _test_eof3035;
case 3035:
	if ( (*p) == 100 )
		goto st3036;
	goto st0;
st3036:
	if ( ++p == pe )
		goto _test_eof3036;
case 3036:
	if ( (*p) == 97 )
		goto st3037;
	goto st0;
st3037:
	if ( ++p == pe )
		goto _test_eof3037;
case 3037:
	if ( (*p) == 110 )
		goto st3038;
	goto st0;
st3038:
	if ( ++p == pe )
		goto _test_eof3038;
case 3038:
	if ( (*p) == 109 )
		goto st3039;
	goto st0;
st3039:
	if ( ++p == pe )
		goto _test_eof3039;
case 3039:
	if ( (*p) == 101 )
		goto st3040;
	goto st0;
st3040:
	if ( ++p == pe )
		goto _test_eof3040;
case 3040:
	if ( (*p) == 114 )
		goto tr3308;
	goto st0;
st3041:
	if ( ++p == pe )
		goto _test_eof3041;
case 3041:
	if ( (*p) == 115 )
		goto st3042;
	goto st0;
st3042:
	if ( ++p == pe )
		goto _test_eof3042;
case 3042:
	if ( (*p) == 116 )
		goto st3043;
	goto st0;
st3043:
	if ( ++p == pe )
		goto _test_eof3043;
case 3043:
	if ( (*p) == 114 )
		goto st3044;
	goto st0;
st3044:
	if ( ++p == pe )
		goto _test_eof3044;
case 3044:
	if ( (*p) == 101 )
		goto tr3312;
	goto st0;
st3045:
	if ( ++p == pe )
		goto _test_eof3045;
case 3045:
	if ( (*p) == 101 )
		goto st3046;
	goto st0;
st3046:
	if ( ++p == pe )
		goto _test_eof3046;
case 3046:
	if ( (*p) == 116 )
		goto st3047;
	goto st0;
st3047:
	if ( ++p == pe )
		goto _test_eof3047;
case 3047:
	if ( (*p) == 101 )
		goto st3048;
	goto st0;
st3048:
	if ( ++p == pe )
		goto _test_eof3048;
case 3048:
	if ( (*p) == 114 )
		goto st3049;
	goto st0;
st3049:
	if ( ++p == pe )
		goto _test_eof3049;
case 3049:
	if ( (*p) == 115 )
		goto st3050;
	goto st0;
st3050:
	if ( ++p == pe )
		goto _test_eof3050;
case 3050:
	if ( (*p) == 101 )
		goto st3051;
	goto st0;
st3051:
	if ( ++p == pe )
		goto _test_eof3051;
case 3051:
	if ( (*p) == 115 )
		goto st3052;
	goto st0;
st3052:
	if ( ++p == pe )
		goto _test_eof3052;
case 3052:
	if ( (*p) == 116 )
		goto tr3320;
	goto st0;
st3053:
	if ( ++p == pe )
		goto _test_eof3053;
case 3053:
	switch( (*p) ) {
		case 98: goto st3054;
		case 110: goto st3060;
		case 115: goto st3093;
		case 116: goto st3124;
	}
	goto st0;
st3054:
	if ( ++p == pe )
		goto _test_eof3054;
case 3054:
	if ( (*p) == 111 )
		goto st3055;
	goto st0;
st3055:
	if ( ++p == pe )
		goto _test_eof3055;
case 3055:
	if ( (*p) == 107 )
		goto st3056;
	goto st0;
st3056:
	if ( ++p == pe )
		goto _test_eof3056;
case 3056:
	if ( (*p) == 111 )
		goto st3057;
	goto st0;
st3057:
	if ( ++p == pe )
		goto _test_eof3057;
case 3057:
	if ( (*p) == 114 )
		goto st3058;
	goto st0;
st3058:
	if ( ++p == pe )
		goto _test_eof3058;
case 3058:
	if ( (*p) == 100 )
		goto st3059;
	goto st0;
st3059:
	if ( ++p == pe )
		goto _test_eof3059;
case 3059:
	if ( (*p) == 101 )
		goto tr3330;
	goto st0;
st3060:
	if ( ++p == pe )
		goto _test_eof3060;
case 3060:
	switch( (*p) ) {
		case 107: goto st3061;
		case 110: goto st3077;
		case 114: goto st3086;
	}
	goto st0;
st3061:
	if ( ++p == pe )
		goto _test_eof3061;
case 3061:
	if ( (*p) == 97 )
		goto st3062;
	goto st0;
st3062:
	if ( ++p == pe )
		goto _test_eof3062;
case 3062:
	if ( (*p) == 115 )
		goto st3063;
	goto st0;
st3063:
	if ( ++p == pe )
		goto _test_eof3063;
case 3063:
	if ( (*p) == 111 )
		goto st3064;
	goto st0;
st3064:
	if ( ++p == pe )
		goto _test_eof3064;
case 3064:
	if ( (*p) == 100 )
		goto st3065;
	goto st0;
st3065:
	if ( ++p == pe )
		goto _test_eof3065;
case 3065:
	if ( (*p) == 97 )
		goto st3066;
	goto st0;
st3066:
	if ( ++p == pe )
		goto _test_eof3066;
case 3066:
	if ( (*p) == 115 )
		goto st3067;
	goto st0;
st3067:
	if ( ++p == pe )
		goto _test_eof3067;
case 3067:
	if ( (*p) == 116 )
		goto st3068;
	goto st0;
st3068:
	if ( ++p == pe )
		goto _test_eof3068;
case 3068:
	if ( (*p) == 109 )
		goto st3069;
	goto st0;
st3069:
	if ( ++p == pe )
		goto _test_eof3069;
case 3069:
	if ( (*p) == 105 )
		goto st3070;
	goto st0;
st3070:
	if ( ++p == pe )
		goto _test_eof3070;
case 3070:
	if ( (*p) == 115 )
		goto st3071;
	goto st0;
st3071:
	if ( ++p == pe )
		goto _test_eof3071;
case 3071:
	if ( (*p) == 116 )
		goto st3072;
	goto st0;
st3072:
	if ( ++p == pe )
		goto _test_eof3072;
case 3072:
	if ( (*p) == 98 )
		goto st3073;
	goto st0;
st3073:
	if ( ++p == pe )
		goto _test_eof3073;
case 3073:
	if ( (*p) == 105 )
		goto st3074;
	goto st0;
st3074:
	if ( ++p == pe )
		goto _test_eof3074;
case 3074:
	if ( (*p) == 103 )
		goto st3075;
	goto st0;
st3075:
	if ( ++p == pe )
		goto _test_eof3075;
case 3075:
	if ( (*p) == 97 )
		goto st3076;
	goto st0;
st3076:
	if ( ++p == pe )
		goto _test_eof3076;
case 3076:
	if ( (*p) == 114 )
		goto tr3349;
	goto st0;
st3077:
	if ( ++p == pe )
		goto _test_eof3077;
case 3077:
	if ( (*p) == 105 )
		goto st3078;
	goto st0;
st3078:
	if ( ++p == pe )
		goto _test_eof3078;
case 3078:
	if ( (*p) == 116 )
		goto st3079;
	goto st0;
st3079:
	if ( ++p == pe )
		goto _test_eof3079;
case 3079:
	if ( (*p) == 105 )
		goto st3080;
	goto st0;
st3080:
	if ( ++p == pe )
		goto _test_eof3080;
case 3080:
	if ( (*p) == 115 )
		goto st3081;
	goto st0;
st3081:
	if ( ++p == pe )
		goto _test_eof3081;
case 3081:
	if ( (*p) == 116 )
		goto st3082;
	goto st0;
st3082:
	if ( ++p == pe )
		goto _test_eof3082;
case 3082:
	if ( (*p) == 102 )
		goto st3083;
	goto st0;
st3083:
	if ( ++p == pe )
		goto _test_eof3083;
case 3083:
	if ( (*p) == 105 )
		goto st3084;
	goto st0;
st3084:
	if ( ++p == pe )
		goto _test_eof3084;
case 3084:
	if ( (*p) == 115 )
		goto st3085;
	goto st0;
st3085:
	if ( ++p == pe )
		goto _test_eof3085;
case 3085:
	if ( (*p) == 116 )
		goto tr3358;
	goto st0;
st3086:
	if ( ++p == pe )
		goto _test_eof3086;
case 3086:
	if ( (*p) == 97 )
		goto st3087;
	goto st0;
st3087:
	if ( ++p == pe )
		goto _test_eof3087;
case 3087:
	if ( (*p) == 109 )
		goto st3088;
	goto st0;
st3088:
	if ( ++p == pe )
		goto _test_eof3088;
case 3088:
	if ( (*p) == 101 )
		goto st3089;
	goto st0;
st3089:
	if ( ++p == pe )
		goto _test_eof3089;
case 3089:
	if ( (*p) == 115 )
		goto st3090;
	goto st0;
st3090:
	if ( ++p == pe )
		goto _test_eof3090;
case 3090:
	if ( (*p) == 116 )
		goto st3091;
	goto st0;
st3091:
	if ( ++p == pe )
		goto _test_eof3091;
case 3091:
	if ( (*p) == 103 )
		goto st3092;
	goto st0;
st3092:
	if ( ++p == pe )
		goto _test_eof3092;
case 3092:
	if ( (*p) == 97 )
		goto tr3365;
	goto st0;
st3093:
	if ( ++p == pe )
		goto _test_eof3093;
case 3093:
	if ( (*p) == 116 )
		goto st3094;
	goto st0;
st3094:
	if ( ++p == pe )
		goto _test_eof3094;
case 3094:
	switch( (*p) ) {
		case 118: goto st3095;
		case 122: goto st3108;
	}
	goto st0;
st3095:
	if ( ++p == pe )
		goto _test_eof3095;
case 3095:
	if ( (*p) == 111 )
		goto st3096;
	goto st0;
st3096:
	if ( ++p == pe )
		goto _test_eof3096;
case 3096:
	if ( (*p) == 115 )
		goto st3097;
	goto st0;
st3097:
	if ( ++p == pe )
		goto _test_eof3097;
case 3097:
	if ( (*p) == 116 )
		goto st3098;
	goto st0;
st3098:
	if ( ++p == pe )
		goto _test_eof3098;
case 3098:
	if ( (*p) == 116 )
		goto st3099;
	goto st0;
st3099:
	if ( ++p == pe )
		goto _test_eof3099;
case 3099:
	if ( (*p) == 111 )
		goto st3100;
	goto st0;
st3100:
	if ( ++p == pe )
		goto _test_eof3100;
case 3100:
	if ( (*p) == 110 )
		goto st3101;
	goto st0;
st3101:
	if ( ++p == pe )
		goto _test_eof3101;
case 3101:
	if ( (*p) == 114 )
		goto st3102;
	goto st0;
st3102:
	if ( ++p == pe )
		goto _test_eof3102;
case 3102:
	if ( (*p) == 117 )
		goto st3103;
	goto st0;
st3103:
	if ( ++p == pe )
		goto _test_eof3103;
case 3103:
	if ( (*p) == 110 )
		goto st3104;
	goto st0;
st3104:
	if ( ++p == pe )
		goto _test_eof3104;
case 3104:
	if ( (*p) == 122 )
		goto st3105;
	goto st0;
st3105:
	if ( ++p == pe )
		goto _test_eof3105;
case 3105:
	if ( (*p) == 105 )
		goto st3106;
	goto st0;
st3106:
	if ( ++p == pe )
		goto _test_eof3106;
case 3106:
	if ( (*p) == 115 )
		goto st3107;
	goto st0;
st3107:
	if ( ++p == pe )
		goto _test_eof3107;
case 3107:
	if ( (*p) == 116 )
		goto tr3381;
	goto st0;
st3108:
	if ( ++p == pe )
		goto _test_eof3108;
case 3108:
	if ( (*p) == 117 )
		goto st3109;
	goto st0;
st3109:
	if ( ++p == pe )
		goto _test_eof3109;
case 3109:
	if ( (*p) == 115 )
		goto st3110;
	goto st0;
st3110:
	if ( ++p == pe )
		goto _test_eof3110;
case 3110:
	if ( (*p) == 116 )
		goto st3111;
	goto st0;
st3111:
	if ( ++p == pe )
		goto _test_eof3111;
case 3111:
	if ( (*p) == 109 )
		goto st3112;
	goto st0;
st3112:
	if ( ++p == pe )
		goto _test_eof3112;
case 3112:
	if ( (*p) == 97 )
		goto st3113;
	goto st0;
st3113:
	if ( ++p == pe )
		goto _test_eof3113;
case 3113:
	if ( (*p) == 112 )
		goto st3114;
	goto st0;
st3114:
	if ( ++p == pe )
		goto _test_eof3114;
case 3114:
	if ( (*p) == 101 )
		goto st3115;
	goto st0;
st3115:
	if ( ++p == pe )
		goto _test_eof3115;
case 3115:
	if ( (*p) == 114 )
		goto st3116;
	goto st0;
st3116:
	if ( ++p == pe )
		goto _test_eof3116;
case 3116:
	if ( (*p) == 100 )
		goto st3117;
	goto st0;
st3117:
	if ( ++p == pe )
		goto _test_eof3117;
case 3117:
	if ( (*p) == 111 )
		goto st3118;
	goto st0;
st3118:
	if ( ++p == pe )
		goto _test_eof3118;
case 3118:
	if ( (*p) == 110 )
		goto st3119;
	goto st0;
st3119:
	if ( ++p == pe )
		goto _test_eof3119;
case 3119:
	if ( (*p) == 110 )
		goto st3120;
	goto st0;
st3120:
	if ( ++p == pe )
		goto _test_eof3120;
case 3120:
	if ( (*p) == 101 )
		goto st3121;
	goto st0;
st3121:
	if ( ++p == pe )
		goto _test_eof3121;
case 3121:
	if ( (*p) == 116 )
		goto st3122;
	goto st0;
st3122:
	if ( ++p == pe )
		goto _test_eof3122;
case 3122:
	if ( (*p) == 97 )
		goto st3123;
	goto st0;
st3123:
	if ( ++p == pe )
		goto _test_eof3123;
case 3123:
	if ( (*p) == 114 )
		goto tr3397;
	goto st0;
st3124:
	if ( ++p == pe )
		goto _test_eof3124;
case 3124:
	if ( (*p) == 101 )
		goto st3125;
	goto st0;
st3125:
	if ( ++p == pe )
		goto _test_eof3125;
case 3125:
	if ( (*p) == 98 )
		goto st3126;
	goto st0;
st3126:
	if ( ++p == pe )
		goto _test_eof3126;
case 3126:
	if ( (*p) == 111 )
		goto st3127;
	goto st0;
st3127:
	if ( ++p == pe )
		goto _test_eof3127;
case 3127:
	if ( (*p) == 115 )
		goto st3128;
	goto st0;
st3128:
	if ( ++p == pe )
		goto _test_eof3128;
case 3128:
	if ( (*p) == 105 )
		goto st3129;
	goto st0;
st3129:
	if ( ++p == pe )
		goto _test_eof3129;
case 3129:
	if ( (*p) == 115 )
		goto st3130;
	goto st0;
st3130:
	if ( ++p == pe )
		goto _test_eof3130;
case 3130:
	if ( (*p) == 116 )
		goto tr3404;
	goto st0;
st3131:
	if ( ++p == pe )
		goto _test_eof3131;
case 3131:
	switch( (*p) ) {
		case 108: goto st3132;
		case 110: goto st3151;
		case 115: goto st3170;
	}
	goto st0;
st3132:
	if ( ++p == pe )
		goto _test_eof3132;
case 3132:
	if ( (*p) == 111 )
		goto st3133;
	goto st0;
st3133:
	if ( ++p == pe )
		goto _test_eof3133;
case 3133:
	if ( (*p) == 110 )
		goto st3134;
	goto st0;
st3134:
	if ( ++p == pe )
		goto _test_eof3134;
case 3134:
	if ( (*p) == 115 )
		goto st3135;
	goto st0;
st3135:
	if ( ++p == pe )
		goto _test_eof3135;
case 3135:
	if ( (*p) == 117 )
		goto st3136;
	goto st0;
st3136:
	if ( ++p == pe )
		goto _test_eof3136;
case 3136:
	if ( (*p) == 118 )
		goto st3137;
	goto st0;
st3137:
	if ( ++p == pe )
		goto _test_eof3137;
case 3137:
	if ( (*p) == 105 )
		goto st3138;
	goto st0;
st3138:
	if ( ++p == pe )
		goto _test_eof3138;
case 3138:
	if ( (*p) == 107 )
		goto st3139;
	goto st0;
st3139:
	if ( ++p == pe )
		goto _test_eof3139;
case 3139:
	if ( (*p) == 101 )
		goto st3140;
	goto st0;
st3140:
	if ( ++p == pe )
		goto _test_eof3140;
case 3140:
	if ( (*p) == 114 )
		goto st3141;
	goto st0;
st3141:
	if ( ++p == pe )
		goto _test_eof3141;
case 3141:
	if ( (*p) == 102 )
		goto st3142;
	goto st0;
st3142:
	if ( ++p == pe )
		goto _test_eof3142;
case 3142:
	if ( (*p) == 117 )
		goto st3143;
	goto st0;
st3143:
	if ( ++p == pe )
		goto _test_eof3143;
case 3143:
	if ( (*p) == 110 )
		goto st3144;
	goto st0;
st3144:
	if ( ++p == pe )
		goto _test_eof3144;
case 3144:
	if ( (*p) == 116 )
		goto st3145;
	goto st0;
st3145:
	if ( ++p == pe )
		goto _test_eof3145;
case 3145:
	if ( (*p) == 97 )
		goto st3146;
	goto st0;
st3146:
	if ( ++p == pe )
		goto _test_eof3146;
case 3146:
	if ( (*p) == 115 )
		goto st3147;
	goto st0;
st3147:
	if ( ++p == pe )
		goto _test_eof3147;
case 3147:
	if ( (*p) == 116 )
		goto st3148;
	goto st0;
st3148:
	if ( ++p == pe )
		goto _test_eof3148;
case 3148:
	if ( (*p) == 100 )
		goto st3149;
	goto st0;
st3149:
	if ( ++p == pe )
		goto _test_eof3149;
case 3149:
	if ( (*p) == 97 )
		goto st3150;
	goto st0;
st3150:
	if ( ++p == pe )
		goto _test_eof3150;
case 3150:
	if ( (*p) == 114 )
		goto tr3426;
	goto st0;
st3151:
	if ( ++p == pe )
		goto _test_eof3151;
case 3151:
	if ( (*p) == 108 )
		goto st3152;
	goto st0;
st3152:
	if ( ++p == pe )
		goto _test_eof3152;
case 3152:
	if ( (*p) == 97 )
		goto st3153;
	goto st0;
st3153:
	if ( ++p == pe )
		goto _test_eof3153;
case 3153:
	if ( (*p) == 115 )
		goto st3154;
	goto st0;
st3154:
	if ( ++p == pe )
		goto _test_eof3154;
case 3154:
	if ( (*p) == 116 )
		goto st3155;
	goto st0;
st3155:
	if ( ++p == pe )
		goto _test_eof3155;
case 3155:
	if ( (*p) == 108 )
		goto st3156;
	goto st0;
st3156:
	if ( ++p == pe )
		goto _test_eof3156;
case 3156:
	if ( (*p) == 111 )
		goto st3157;
	goto st0;
st3157:
	if ( ++p == pe )
		goto _test_eof3157;
case 3157:
	if ( (*p) == 115 )
		goto st3158;
	goto st0;
st3158:
	if ( ++p == pe )
		goto _test_eof3158;
case 3158:
	if ( (*p) == 117 )
		goto st3159;
	goto st0;
st3159:
	if ( ++p == pe )
		goto _test_eof3159;
case 3159:
	if ( (*p) == 110 )
		goto st3160;
	goto st0;
st3160:
	if ( ++p == pe )
		goto _test_eof3160;
case 3160:
	if ( (*p) == 118 )
		goto st3161;
	goto st0;
st3161:
	if ( ++p == pe )
		goto _test_eof3161;
case 3161:
	if ( (*p) == 97 )
		goto st3162;
	goto st0;
st3162:
	if ( ++p == pe )
		goto _test_eof3162;
case 3162:
	if ( (*p) == 115 )
		goto st3163;
	goto st0;
st3163:
	if ( ++p == pe )
		goto _test_eof3163;
case 3163:
	if ( (*p) == 116 )
		goto st3164;
	goto st0;
st3164:
	if ( ++p == pe )
		goto _test_eof3164;
case 3164:
	if ( (*p) == 108 )
		goto st3165;
	goto st0;
st3165:
	if ( ++p == pe )
		goto _test_eof3165;
case 3165:
	if ( (*p) == 101 )
		goto st3166;
	goto st0;
st3166:
	if ( ++p == pe )
		goto _test_eof3166;
case 3166:
	if ( (*p) == 108 )
		goto st3167;
	goto st0;
st3167:
	if ( ++p == pe )
		goto _test_eof3167;
case 3167:
	if ( (*p) == 117 )
		goto st3168;
	goto st0;
st3168:
	if ( ++p == pe )
		goto _test_eof3168;
case 3168:
	if ( (*p) == 109 )
		goto st3169;
	goto st0;
st3169:
	if ( ++p == pe )
		goto _test_eof3169;
case 3169:
	if ( (*p) == 105 )
		goto tr3445;
	goto st0;
st3170:
	if ( ++p == pe )
		goto _test_eof3170;
case 3170:
	if ( (*p) == 116 )
		goto st3171;
	goto st0;
st3171:
	if ( ++p == pe )
		goto _test_eof3171;
case 3171:
	if ( (*p) == 109 )
		goto st3172;
	goto st0;
st3172:
	if ( ++p == pe )
		goto _test_eof3172;
case 3172:
	if ( (*p) == 117 )
		goto st3173;
	goto st0;
st3173:
	if ( ++p == pe )
		goto _test_eof3173;
case 3173:
	if ( (*p) == 115 )
		goto st3174;
	goto st0;
st3174:
	if ( ++p == pe )
		goto _test_eof3174;
case 3174:
	if ( (*p) == 116 )
		goto st3175;
	goto st0;
st3175:
	if ( ++p == pe )
		goto _test_eof3175;
case 3175:
	if ( (*p) == 109 )
		goto st3176;
	goto st0;
st3176:
	if ( ++p == pe )
		goto _test_eof3176;
case 3176:
	if ( (*p) == 117 )
		goto st3177;
	goto st0;
st3177:
	if ( ++p == pe )
		goto _test_eof3177;
case 3177:
	if ( (*p) == 114 )
		goto st3178;
	goto st0;
st3178:
	if ( ++p == pe )
		goto _test_eof3178;
case 3178:
	if ( (*p) == 107 )
		goto st3179;
	goto st0;
st3179:
	if ( ++p == pe )
		goto _test_eof3179;
case 3179:
	if ( (*p) == 101 )
		goto st3180;
	goto st0;
st3180:
	if ( ++p == pe )
		goto _test_eof3180;
case 3180:
	if ( (*p) == 114 )
		goto st3181;
	goto st0;
st3181:
	if ( ++p == pe )
		goto _test_eof3181;
case 3181:
	if ( (*p) == 114 )
		goto st3182;
	goto st0;
st3182:
	if ( ++p == pe )
		goto _test_eof3182;
case 3182:
	if ( (*p) == 117 )
		goto st3183;
	goto st0;
st3183:
	if ( ++p == pe )
		goto _test_eof3183;
case 3183:
	if ( (*p) == 109 )
		goto st3184;
	goto st0;
st3184:
	if ( ++p == pe )
		goto _test_eof3184;
case 3184:
	if ( (*p) == 117 )
		goto st3185;
	goto st0;
st3185:
	if ( ++p == pe )
		goto _test_eof3185;
case 3185:
	if ( (*p) == 114 )
		goto st3186;
	goto st0;
st3186:
	if ( ++p == pe )
		goto _test_eof3186;
case 3186:
	if ( (*p) == 114 )
		goto st3187;
	goto st0;
st3187:
	if ( ++p == pe )
		goto _test_eof3187;
case 3187:
	if ( (*p) == 97 )
		goto tr3463;
	goto st0;
st3188:
	if ( ++p == pe )
		goto _test_eof3188;
case 3188:
	switch( (*p) ) {
		case 109: goto st3189;
		case 115: goto st3206;
	}
	goto st0;
st3189:
	if ( ++p == pe )
		goto _test_eof3189;
case 3189:
	if ( (*p) == 117 )
		goto st3190;
	goto st0;
st3190:
	if ( ++p == pe )
		goto _test_eof3190;
case 3190:
	if ( (*p) == 107 )
		goto st3191;
	goto st0;
st3191:
	if ( ++p == pe )
		goto _test_eof3191;
case 3191:
	if ( (*p) == 105 )
		goto st3192;
	goto st0;
st3192:
	if ( ++p == pe )
		goto _test_eof3192;
case 3192:
	if ( (*p) == 110 )
		goto st3193;
	goto st0;
st3193:
	if ( ++p == pe )
		goto _test_eof3193;
case 3193:
	if ( (*p) == 110 )
		goto st3194;
	goto st0;
st3194:
	if ( ++p == pe )
		goto _test_eof3194;
case 3194:
	if ( (*p) == 111 )
		goto st3195;
	goto st0;
st3195:
	if ( ++p == pe )
		goto _test_eof3195;
case 3195:
	if ( (*p) == 110 )
		goto st3196;
	goto st0;
st3196:
	if ( ++p == pe )
		goto _test_eof3196;
case 3196:
	if ( (*p) == 109 )
		goto st3197;
	goto st0;
st3197:
	if ( ++p == pe )
		goto _test_eof3197;
case 3197:
	if ( (*p) == 105 )
		goto st3198;
	goto st0;
st3198:
	if ( ++p == pe )
		goto _test_eof3198;
case 3198:
	if ( (*p) == 112 )
		goto st3199;
	goto st0;
st3199:
	if ( ++p == pe )
		goto _test_eof3199;
case 3199:
	if ( (*p) == 97 )
		goto st3200;
	goto st0;
st3200:
	if ( ++p == pe )
		goto _test_eof3200;
case 3200:
	if ( (*p) == 102 )
		goto st3201;
	goto st0;
st3201:
	if ( ++p == pe )
		goto _test_eof3201;
case 3201:
	if ( (*p) == 111 )
		goto st3202;
	goto st0;
st3202:
	if ( ++p == pe )
		goto _test_eof3202;
case 3202:
	if ( (*p) == 114 )
		goto st3203;
	goto st0;
st3203:
	if ( ++p == pe )
		goto _test_eof3203;
case 3203:
	if ( (*p) == 118 )
		goto st3204;
	goto st0;
st3204:
	if ( ++p == pe )
		goto _test_eof3204;
case 3204:
	if ( (*p) == 117 )
		goto st3205;
	goto st0;
st3205:
	if ( ++p == pe )
		goto _test_eof3205;
case 3205:
	if ( (*p) == 110 )
		goto tr3482;
	goto st0;
st3206:
	if ( ++p == pe )
		goto _test_eof3206;
case 3206:
	if ( (*p) == 116 )
		goto st3207;
	goto st0;
st3207:
	if ( ++p == pe )
		goto _test_eof3207;
case 3207:
	if ( (*p) == 103 )
		goto st3208;
	goto st0;
st3208:
	if ( ++p == pe )
		goto _test_eof3208;
case 3208:
	if ( (*p) == 101 )
		goto st3209;
	goto st0;
st3209:
	if ( ++p == pe )
		goto _test_eof3209;
case 3209:
	if ( (*p) == 110 )
		goto st3210;
	goto st0;
st3210:
	if ( ++p == pe )
		goto _test_eof3210;
case 3210:
	if ( (*p) == 98 )
		goto st3211;
	goto st0;
st3211:
	if ( ++p == pe )
		goto _test_eof3211;
case 3211:
	if ( (*p) == 97 )
		goto st3212;
	goto st0;
st3212:
	if ( ++p == pe )
		goto _test_eof3212;
case 3212:
	if ( (*p) == 110 )
		goto st3213;
	goto st0;
st3213:
	if ( ++p == pe )
		goto _test_eof3213;
case 3213:
	if ( (*p) == 102 )
		goto st3214;
	goto st0;
st3214:
	if ( ++p == pe )
		goto _test_eof3214;
case 3214:
	if ( (*p) == 97 )
		goto st3215;
	goto st0;
st3215:
	if ( ++p == pe )
		goto _test_eof3215;
case 3215:
	if ( (*p) == 100 )
		goto st3216;
	goto st0;
st3216:
	if ( ++p == pe )
		goto _test_eof3216;
case 3216:
	if ( (*p) == 117 )
		goto st3217;
	goto st0;
st3217:
	if ( ++p == pe )
		goto _test_eof3217;
case 3217:
	if ( (*p) == 110 )
		goto st3218;
	goto st0;
st3218:
	if ( ++p == pe )
		goto _test_eof3218;
case 3218:
	if ( (*p) == 109 )
		goto st3219;
	goto st0;
st3219:
	if ( ++p == pe )
		goto _test_eof3219;
case 3219:
	if ( (*p) == 111 )
		goto st3220;
	goto st0;
st3220:
	if ( ++p == pe )
		goto _test_eof3220;
case 3220:
	if ( (*p) == 108 )
		goto st3221;
	goto st0;
st3221:
	if ( ++p == pe )
		goto _test_eof3221;
case 3221:
	if ( (*p) == 101 )
		goto tr3498;
	goto st0;
st3222:
	if ( ++p == pe )
		goto _test_eof3222;
case 3222:
	switch( (*p) ) {
		case 97: goto st3223;
		case 101: goto st3257;
		case 105: goto st3285;
		case 111: goto st3336;
		case 117: goto st3431;
	}
	goto st0;
st3223:
	if ( ++p == pe )
		goto _test_eof3223;
case 3223:
	switch( (*p) ) {
		case 103: goto st3224;
		case 114: goto st3236;
		case 115: goto st3242;
	}
	goto st0;
st3224:
	if ( ++p == pe )
		goto _test_eof3224;
case 3224:
	if ( (*p) == 117 )
		goto st3225;
	goto st0;
st3225:
	if ( ++p == pe )
		goto _test_eof3225;
case 3225:
	if ( (*p) == 115 )
		goto st3226;
	goto st0;
st3226:
	if ( ++p == pe )
		goto _test_eof3226;
case 3226:
	if ( (*p) == 116 )
		goto st3227;
	goto st0;
st3227:
	if ( ++p == pe )
		goto _test_eof3227;
case 3227:
	if ( (*p) == 112 )
		goto st3228;
	goto st0;
st3228:
	if ( ++p == pe )
		goto _test_eof3228;
case 3228:
	if ( (*p) == 105 )
		goto st3229;
	goto st0;
st3229:
	if ( ++p == pe )
		goto _test_eof3229;
case 3229:
	if ( (*p) == 114 )
		goto st3230;
	goto st0;
st3230:
	if ( ++p == pe )
		goto _test_eof3230;
case 3230:
	if ( (*p) == 105 )
		goto st3231;
	goto st0;
st3231:
	if ( ++p == pe )
		goto _test_eof3231;
case 3231:
	if ( (*p) == 114 )
		goto st3232;
	goto st0;
st3232:
	if ( ++p == pe )
		goto _test_eof3232;
case 3232:
	if ( (*p) == 98 )
		goto st3233;
	goto st0;
st3233:
	if ( ++p == pe )
		goto _test_eof3233;
case 3233:
	if ( (*p) == 117 )
		goto st3234;
	goto st0;
st3234:
	if ( ++p == pe )
		goto _test_eof3234;
case 3234:
	if ( (*p) == 115 )
		goto st3235;
	goto st0;
st3235:
	if ( ++p == pe )
		goto _test_eof3235;
case 3235:
	if ( (*p) == 116 )
		goto tr3518;
	goto st0;
st3236:
	if ( ++p == pe )
		goto _test_eof3236;
case 3236:
	if ( (*p) == 100 )
		goto st3237;
	goto st0;
st3237:
	if ( ++p == pe )
		goto _test_eof3237;
case 3237:
	if ( (*p) == 117 )
		goto st3238;
	goto st0;
st3238:
	if ( ++p == pe )
		goto _test_eof3238;
case 3238:
	if ( (*p) == 115 )
		goto st3239;
	goto st0;
st3239:
	if ( ++p == pe )
		goto _test_eof3239;
case 3239:
	if ( (*p) == 116 )
		goto st3240;
	goto st0;
st3240:
	if ( ++p == pe )
		goto _test_eof3240;
case 3240:
	if ( (*p) == 115 )
		goto st3241;
	goto st0;
st3241:
	if ( ++p == pe )
		goto _test_eof3241;
case 3241:
	if ( (*p) == 117 )
		goto tr3524;
	goto st0;
st3242:
	if ( ++p == pe )
		goto _test_eof3242;
case 3242:
	if ( (*p) == 116 )
		goto st3243;
	goto st0;
st3243:
	if ( ++p == pe )
		goto _test_eof3243;
case 3243:
	switch( (*p) ) {
		case 108: goto st3244;
		case 114: goto st3254;
	}
	goto st0;
st3244:
	if ( ++p == pe )
		goto _test_eof3244;
case 3244:
	if ( (*p) == 117 )
		goto st3245;
	goto st0;
st3245:
	if ( ++p == pe )
		goto _test_eof3245;
case 3245:
	if ( (*p) == 102 )
		goto st3246;
	goto st0;
st3246:
	if ( ++p == pe )
		goto _test_eof3246;
case 3246:
	if ( (*p) == 101 )
		goto st3247;
	goto st0;
st3247:
	if ( ++p == pe )
		goto _test_eof3247;
case 3247:
	if ( (*p) == 116 )
		goto st3248;
	goto st0;
st3248:
	if ( ++p == pe )
		goto _test_eof3248;
case 3248:
	if ( (*p) == 117 )
		goto st3249;
	goto st0;
st3249:
	if ( ++p == pe )
		goto _test_eof3249;
case 3249:
	if ( (*p) == 114 )
		goto st3250;
	goto st0;
st3250:
	if ( ++p == pe )
		goto _test_eof3250;
case 3250:
	if ( (*p) == 98 )
		goto st3251;
	goto st0;
st3251:
	if ( ++p == pe )
		goto _test_eof3251;
case 3251:
	if ( (*p) == 105 )
		goto st3252;
	goto st0;
st3252:
	if ( ++p == pe )
		goto _test_eof3252;
case 3252:
	if ( (*p) == 115 )
		goto st3253;
	goto st0;
st3253:
	if ( ++p == pe )
		goto _test_eof3253;
case 3253:
	if ( (*p) == 116 )
		goto tr3537;
	goto st0;
st3254:
	if ( ++p == pe )
		goto _test_eof3254;
case 3254:
	if ( (*p) == 97 )
		goto st3255;
	goto st0;
st3255:
	if ( ++p == pe )
		goto _test_eof3255;
case 3255:
	if ( (*p) == 115 )
		goto st3256;
	goto st0;
st3256:
	if ( ++p == pe )
		goto _test_eof3256;
case 3256:
	if ( (*p) == 116 )
		goto tr3540;
	goto st0;
st3257:
	if ( ++p == pe )
		goto _test_eof3257;
case 3257:
	switch( (*p) ) {
		case 110: goto st3258;
		case 114: goto st3270;
	}
	goto st0;
st3258:
	if ( ++p == pe )
		goto _test_eof3258;
case 3258:
	if ( (*p) == 114 )
		goto st3259;
	goto st0;
st3259:
	if ( ++p == pe )
		goto _test_eof3259;
case 3259:
	if ( (*p) == 111 )
		goto st3260;
	goto st0;
st3260:
	if ( ++p == pe )
		goto _test_eof3260;
case 3260:
	if ( (*p) == 108 )
		goto st3261;
	goto st0;
st3261:
	if ( ++p == pe )
		goto _test_eof3261;
case 3261:
	if ( (*p) == 105 )
		goto st3262;
	goto st0;
st3262:
	if ( ++p == pe )
		goto _test_eof3262;
case 3262:
	if ( (*p) == 114 )
		goto st3263;
	goto st0;
st3263:
	if ( ++p == pe )
		goto _test_eof3263;
case 3263:
	if ( (*p) == 114 )
		goto st3264;
	goto st0;
st3264:
	if ( ++p == pe )
		goto _test_eof3264;
case 3264:
	if ( (*p) == 105 )
		goto st3265;
	goto st0;
st3265:
	if ( ++p == pe )
		goto _test_eof3265;
case 3265:
	if ( (*p) == 118 )
		goto st3266;
	goto st0;
st3266:
	if ( ++p == pe )
		goto _test_eof3266;
case 3266:
	if ( (*p) == 105 )
		goto st3267;
	goto st0;
st3267:
	if ( ++p == pe )
		goto _test_eof3267;
case 3267:
	if ( (*p) == 115 )
		goto st3268;
	goto st0;
st3268:
	if ( ++p == pe )
		goto _test_eof3268;
case 3268:
	if ( (*p) == 117 )
		goto st3269;
	goto st0;
st3269:
	if ( ++p == pe )
		goto _test_eof3269;
case 3269:
	if ( (*p) == 110 )
		goto tr3554;
	goto st0;
st3270:
	if ( ++p == pe )
		goto _test_eof3270;
case 3270:
	switch( (*p) ) {
		case 109: goto st3271;
		case 110: goto st3284;
	}
	goto st0;
st3271:
	if ( ++p == pe )
		goto _test_eof3271;
case 3271:
	switch( (*p) ) {
		case 97: goto st3272;
		case 101: goto st3280;
	}
	goto st0;
st3272:
	if ( ++p == pe )
		goto _test_eof3272;
case 3272:
	if ( (*p) == 114 )
		goto st3273;
	goto st0;
st3273:
	if ( ++p == pe )
		goto _test_eof3273;
case 3273:
	if ( (*p) == 98 )
		goto st3274;
	goto st0;
st3274:
	if ( ++p == pe )
		goto _test_eof3274;
case 3274:
	if ( (*p) == 105 )
		goto st3275;
	goto st0;
st3275:
	if ( ++p == pe )
		goto _test_eof3275;
case 3275:
	if ( (*p) == 118 )
		goto st3276;
	goto st0;
st3276:
	if ( ++p == pe )
		goto _test_eof3276;
case 3276:
	if ( (*p) == 97 )
		goto st3277;
	goto st0;
st3277:
	if ( ++p == pe )
		goto _test_eof3277;
case 3277:
	if ( (*p) == 114 )
		goto st3278;
	goto st0;
st3278:
	if ( ++p == pe )
		goto _test_eof3278;
case 3278:
	if ( (*p) == 101 )
		goto st3279;
	goto st0;
st3279:
	if ( ++p == pe )
		goto _test_eof3279;
case 3279:
	if ( (*p) == 110 )
		goto tr3566;
	goto st0;
st3280:
	if ( ++p == pe )
		goto _test_eof3280;
case 3280:
	if ( (*p) == 114 )
		goto st3281;
	goto st0;
st3281:
	if ( ++p == pe )
		goto _test_eof3281;
case 3281:
	if ( (*p) == 102 )
		goto st3282;
	goto st0;
st3282:
	if ( ++p == pe )
		goto _test_eof3282;
case 3282:
	if ( (*p) == 117 )
		goto st3283;
	goto st0;
st3283:
	if ( ++p == pe )
		goto _test_eof3283;
case 3283:
	if ( (*p) == 114 )
		goto tr3570;
	goto st0;
st3284:
	if ( ++p == pe )
		goto _test_eof3284;
case 3284:
	if ( (*p) == 97 )
		goto tr3571;
	goto st0;
st3285:
	if ( ++p == pe )
		goto _test_eof3285;
case 3285:
	switch( (*p) ) {
		case 110: goto st3286;
		case 114: goto st3310;
	}
	goto st0;
st3286:
	if ( ++p == pe )
		goto _test_eof3286;
case 3286:
	switch( (*p) ) {
		case 108: goto st3287;
		case 115: goto st3291;
	}
	goto st0;
st3287:
	if ( ++p == pe )
		goto _test_eof3287;
case 3287:
	if ( (*p) == 101 )
		goto st3288;
	goto st0;
st3288:
	if ( ++p == pe )
		goto _test_eof3288;
case 3288:
	if ( (*p) == 114 )
		goto st3289;
	goto st0;
st3289:
	if ( ++p == pe )
		goto _test_eof3289;
case 3289:
	if ( (*p) == 101 )
		goto st3290;
	goto st0;
st3290:
	if ( ++p == pe )
		goto _test_eof3290;
case 3290:
	if ( (*p) == 114 )
		goto tr3579;
	goto st0;
st3291:
	if ( ++p == pe )
		goto _test_eof3291;
case 3291:
	if ( (*p) == 101 )
		goto st3292;
	goto st0;
st3292:
	if ( ++p == pe )
		goto _test_eof3292;
case 3292:
	if ( (*p) == 110 )
		goto st3293;
	goto st0;
st3293:
	if ( ++p == pe )
		goto _test_eof3293;
case 3293:
	if ( (*p) == 103 )
		goto st3294;
	goto st0;
st3294:
	if ( ++p == pe )
		goto _test_eof3294;
case 3294:
	if ( (*p) == 97 )
		goto st3295;
	goto st0;
st3295:
	if ( ++p == pe )
		goto _test_eof3295;
case 3295:
	if ( (*p) == 103 )
		goto st3296;
	goto st0;
st3296:
	if ( ++p == pe )
		goto _test_eof3296;
case 3296:
	if ( (*p) == 105 )
		goto st3297;
	goto st0;
st3297:
	if ( ++p == pe )
		goto _test_eof3297;
case 3297:
	if ( (*p) == 114 )
		goto st3298;
	goto st0;
st3298:
	if ( ++p == pe )
		goto _test_eof3298;
case 3298:
	if ( (*p) == 108 )
		goto st3299;
	goto st0;
st3299:
	if ( ++p == pe )
		goto _test_eof3299;
case 3299:
	if ( (*p) == 111 )
		goto st3300;
	goto st0;
st3300:
	if ( ++p == pe )
		goto _test_eof3300;
case 3300:
	if ( (*p) == 114 )
		goto st3301;
	goto st0;
st3301:
	if ( ++p == pe )
		goto _test_eof3301;
case 3301:
	if ( (*p) == 98 )
		goto st3302;
	goto st0;
st3302:
	if ( ++p == pe )
		goto _test_eof3302;
case 3302:
	if ( (*p) == 111 )
		goto st3303;
	goto st0;
st3303:
	if ( ++p == pe )
		goto _test_eof3303;
case 3303:
	if ( (*p) == 112 )
		goto st3304;
	goto st0;
st3304:
	if ( ++p == pe )
		goto _test_eof3304;
case 3304:
	if ( (*p) == 97 )
		goto st3305;
	goto st0;
st3305:
	if ( ++p == pe )
		goto _test_eof3305;
case 3305:
	if ( (*p) == 114 )
		goto st3306;
	goto st0;
st3306:
	if ( ++p == pe )
		goto _test_eof3306;
case 3306:
	if ( (*p) == 109 )
		goto st3307;
	goto st0;
st3307:
	if ( ++p == pe )
		goto _test_eof3307;
case 3307:
	if ( (*p) == 105 )
		goto st3308;
	goto st0;
st3308:
	if ( ++p == pe )
		goto _test_eof3308;
case 3308:
	if ( (*p) == 115 )
		goto st3309;
	goto st0;
st3309:
	if ( ++p == pe )
		goto _test_eof3309;
case 3309:
	if ( (*p) == 116 )
		goto tr3598;
	goto st0;
st3310:
	if ( ++p == pe )
		goto _test_eof3310;
case 3310:
	switch( (*p) ) {
		case 98: goto st3311;
		case 103: goto st3316;
		case 110: goto st3331;
	}
	goto st0;
st3311:
	if ( ++p == pe )
		goto _test_eof3311;
case 3311:
	if ( (*p) == 105 )
		goto st3312;
	goto st0;
st3312:
	if ( ++p == pe )
		goto _test_eof3312;
case 3312:
	if ( (*p) == 110 )
		goto st3313;
	goto st0;
st3313:
	if ( ++p == pe )
		goto _test_eof3313;
case 3313:
	if ( (*p) == 97 )
		goto st3314;
	goto st0;
st3314:
	if ( ++p == pe )
		goto _test_eof3314;
case 3314:
	if ( (*p) == 114 )
		goto st3315;
	goto st0;
st3315:
	if ( ++p == pe )
		goto _test_eof3315;
case 3315:
	if ( (*p) == 97 )
		goto tr3606;
	goto st0;
st3316:
	if ( ++p == pe )
		goto _test_eof3316;
case 3316:
	if ( (*p) == 111 )
		goto st3317;
	goto st0;
st3317:
	if ( ++p == pe )
		goto _test_eof3317;
case 3317:
	if ( (*p) == 114 )
		goto st3318;
	goto st0;
st3318:
	if ( ++p == pe )
		goto _test_eof3318;
case 3318:
	if ( (*p) == 102 )
		goto st3319;
	goto st0;
st3319:
	if ( ++p == pe )
		goto _test_eof3319;
case 3319:
	if ( (*p) == 117 )
		goto st3320;
	goto st0;
st3320:
	if ( ++p == pe )
		goto _test_eof3320;
case 3320:
	if ( (*p) == 118 )
		goto st3321;
	goto st0;
st3321:
	if ( ++p == pe )
		goto _test_eof3321;
case 3321:
	if ( (*p) == 117 )
		goto st3322;
	goto st0;
st3322:
	if ( ++p == pe )
		goto _test_eof3322;
case 3322:
	if ( (*p) == 110 )
		goto st3323;
	goto st0;
st3323:
	if ( ++p == pe )
		goto _test_eof3323;
case 3323:
	if ( (*p) == 100 )
		goto st3324;
	goto st0;
st3324:
	if ( ++p == pe )
		goto _test_eof3324;
case 3324:
	if ( (*p) == 117 )
		goto st3325;
	goto st0;
st3325:
	if ( ++p == pe )
		goto _test_eof3325;
case 3325:
	if ( (*p) == 114 )
		goto st3326;
	goto st0;
st3326:
	if ( ++p == pe )
		goto _test_eof3326;
case 3326:
	if ( (*p) == 115 )
		goto st3327;
	goto st0;
st3327:
	if ( ++p == pe )
		goto _test_eof3327;
case 3327:
	if ( (*p) == 111 )
		goto st3328;
	goto st0;
st3328:
	if ( ++p == pe )
		goto _test_eof3328;
case 3328:
	if ( (*p) == 107 )
		goto st3329;
	goto st0;
st3329:
	if ( ++p == pe )
		goto _test_eof3329;
case 3329:
	if ( (*p) == 111 )
		goto st3330;
	goto st0;
st3330:
	if ( ++p == pe )
		goto _test_eof3330;
case 3330:
	if ( (*p) == 110 )
		goto tr3621;
	goto st0;
st3331:
	if ( ++p == pe )
		goto _test_eof3331;
case 3331:
	if ( (*p) == 105 )
		goto st3332;
	goto st0;
st3332:
	if ( ++p == pe )
		goto _test_eof3332;
case 3332:
	if ( (*p) == 115 )
		goto st3333;
	goto st0;
st3333:
	if ( ++p == pe )
		goto _test_eof3333;
case 3333:
	if ( (*p) == 116 )
		goto st3334;
	goto st0;
st3334:
	if ( ++p == pe )
		goto _test_eof3334;
case 3334:
	if ( (*p) == 116 )
		goto st3335;
	goto st0;
st3335:
	if ( ++p == pe )
		goto _test_eof3335;
case 3335:
	if ( (*p) == 117 )
		goto tr3626;
	goto st0;
st3336:
	if ( ++p == pe )
		goto _test_eof3336;
case 3336:
	switch( (*p) ) {
		case 103: goto st3337;
		case 110: goto st3348;
		case 112: goto st3384;
		case 114: goto st3395;
		case 115: goto st3414;
	}
	goto st0;
st3337:
	if ( ++p == pe )
		goto _test_eof3337;
case 3337:
	if ( (*p) == 101 )
		goto st3338;
	goto st0;
st3338:
	if ( ++p == pe )
		goto _test_eof3338;
case 3338:
	if ( (*p) == 122 )
		goto st3339;
	goto st0;
st3339:
	if ( ++p == pe )
		goto _test_eof3339;
case 3339:
	if ( (*p) == 111 )
		goto st3340;
	goto st0;
st3340:
	if ( ++p == pe )
		goto _test_eof3340;
case 3340:
	if ( (*p) == 114 )
		goto st3341;
	goto st0;
st3341:
	if ( ++p == pe )
		goto _test_eof3341;
case 3341:
	if ( (*p) == 117 )
		goto st3342;
	goto st0;
st3342:
	if ( ++p == pe )
		goto _test_eof3342;
case 3342:
	if ( (*p) == 114 )
		goto st3343;
	goto st0;
st3343:
	if ( ++p == pe )
		goto _test_eof3343;
case 3343:
	if ( (*p) == 110 )
		goto st3344;
	goto st0;
st3344:
	if ( ++p == pe )
		goto _test_eof3344;
case 3344:
	if ( (*p) == 117 )
		goto st3345;
	goto st0;
st3345:
	if ( ++p == pe )
		goto _test_eof3345;
case 3345:
	if ( (*p) == 114 )
		goto st3346;
	goto st0;
st3346:
	if ( ++p == pe )
		goto _test_eof3346;
case 3346:
	if ( (*p) == 116 )
		goto st3347;
	goto st0;
st3347:
	if ( ++p == pe )
		goto _test_eof3347;
case 3347:
	if ( (*p) == 101 )
		goto tr3642;
	goto st0;
st3348:
	if ( ++p == pe )
		goto _test_eof3348;
case 3348:
	switch( (*p) ) {
		case 101: goto st3349;
		case 108: goto st3360;
		case 114: goto st3369;
	}
	goto st0;
st3349:
	if ( ++p == pe )
		goto _test_eof3349;
case 3349:
	if ( (*p) == 98 )
		goto st3350;
	goto st0;
st3350:
	if ( ++p == pe )
		goto _test_eof3350;
case 3350:
	if ( (*p) == 97 )
		goto st3351;
	goto st0;
st3351:
	if ( ++p == pe )
		goto _test_eof3351;
case 3351:
	if ( (*p) == 110 )
		goto st3352;
	goto st0;
st3352:
	if ( ++p == pe )
		goto _test_eof3352;
case 3352:
	if ( (*p) == 112 )
		goto st3353;
	goto st0;
st3353:
	if ( ++p == pe )
		goto _test_eof3353;
case 3353:
	if ( (*p) == 105 )
		goto st3354;
	goto st0;
st3354:
	if ( ++p == pe )
		goto _test_eof3354;
case 3354:
	if ( (*p) == 102 )
		goto st3355;
	goto st0;
st3355:
	if ( ++p == pe )
		goto _test_eof3355;
case 3355:
	if ( (*p) == 111 )
		goto st3356;
	goto st0;
st3356:
	if ( ++p == pe )
		goto _test_eof3356;
case 3356:
	if ( (*p) == 100 )
		goto st3357;
	goto st0;
st3357:
	if ( ++p == pe )
		goto _test_eof3357;
case 3357:
	if ( (*p) == 105 )
		goto st3358;
	goto st0;
st3358:
	if ( ++p == pe )
		goto _test_eof3358;
case 3358:
	if ( (*p) == 115 )
		goto st3359;
	goto st0;
st3359:
	if ( ++p == pe )
		goto _test_eof3359;
case 3359:
	if ( (*p) == 116 )
		goto tr3656;
	goto st0;
st3360:
	if ( ++p == pe )
		goto _test_eof3360;
case 3360:
	if ( (*p) == 97 )
		goto st3361;
	goto st0;
st3361:
	if ( ++p == pe )
		goto _test_eof3361;
case 3361:
	if ( (*p) == 107 )
		goto st3362;
	goto st0;
st3362:
	if ( ++p == pe )
		goto _test_eof3362;
case 3362:
	if ( (*p) == 101 )
		goto st3363;
	goto st0;
st3363:
	if ( ++p == pe )
		goto _test_eof3363;
case 3363:
	if ( (*p) == 115 )
		goto st3364;
	goto st0;
st3364:
	if ( ++p == pe )
		goto _test_eof3364;
case 3364:
	if ( (*p) == 116 )
		goto st3365;
	goto st0;
st3365:
	if ( ++p == pe )
		goto _test_eof3365;
case 3365:
	if ( (*p) == 118 )
		goto st3366;
	goto st0;
st3366:
	if ( ++p == pe )
		goto _test_eof3366;
case 3366:
	if ( (*p) == 105 )
		goto st3367;
	goto st0;
st3367:
	if ( ++p == pe )
		goto _test_eof3367;
case 3367:
	if ( (*p) == 98 )
		goto st3368;
	goto st0;
st3368:
	if ( ++p == pe )
		goto _test_eof3368;
case 3368:
	if ( (*p) == 101 )
		goto tr3665;
	goto st0;
st3369:
	if ( ++p == pe )
		goto _test_eof3369;
case 3369:
	if ( (*p) == 101 )
		goto st3370;
	goto st0;
st3370:
	if ( ++p == pe )
		goto _test_eof3370;
case 3370:
	if ( (*p) == 115 )
		goto st3371;
	goto st0;
st3371:
	if ( ++p == pe )
		goto _test_eof3371;
case 3371:
	if ( (*p) == 111 )
		goto st3372;
	goto st0;
st3372:
	if ( ++p == pe )
		goto _test_eof3372;
case 3372:
	if ( (*p) == 122 )
		goto st3373;
	goto st0;
st3373:
	if ( ++p == pe )
		goto _test_eof3373;
case 3373:
	if ( (*p) == 111 )
		goto st3374;
	goto st0;
st3374:
	if ( ++p == pe )
		goto _test_eof3374;
case 3374:
	if ( (*p) == 116 )
		goto st3375;
	goto st0;
st3375:
	if ( ++p == pe )
		goto _test_eof3375;
case 3375:
	if ( (*p) == 97 )
		goto st3376;
	goto st0;
st3376:
	if ( ++p == pe )
		goto _test_eof3376;
case 3376:
	if ( (*p) == 110 )
		goto st3377;
	goto st0;
st3377:
	if ( ++p == pe )
		goto _test_eof3377;
case 3377:
	if ( (*p) == 122 )
		goto st3378;
	goto st0;
st3378:
	if ( ++p == pe )
		goto _test_eof3378;
case 3378:
	if ( (*p) == 117 )
		goto st3379;
	goto st0;
st3379:
	if ( ++p == pe )
		goto _test_eof3379;
case 3379:
	if ( (*p) == 115 )
		goto st3380;
	goto st0;
st3380:
	if ( ++p == pe )
		goto _test_eof3380;
case 3380:
	if ( (*p) == 116 )
		goto st3381;
	goto st0;
st3381:
	if ( ++p == pe )
		goto _test_eof3381;
case 3381:
	if ( (*p) == 122 )
		goto st3382;
	goto st0;
st3382:
	if ( ++p == pe )
		goto _test_eof3382;
case 3382:
	if ( (*p) == 97 )
		goto st3383;
	goto st0;
st3383:
	if ( ++p == pe )
		goto _test_eof3383;
case 3383:
	if ( (*p) == 114 )
		goto tr3680;
	goto st0;
st3384:
	if ( ++p == pe )
		goto _test_eof3384;
case 3384:
	if ( (*p) == 117 )
		goto st3385;
	goto st0;
st3385:
	if ( ++p == pe )
		goto _test_eof3385;
case 3385:
	if ( (*p) == 115 )
		goto st3386;
	goto st0;
st3386:
	if ( ++p == pe )
		goto _test_eof3386;
case 3386:
	if ( (*p) == 116 )
		goto st3387;
	goto st0;
st3387:
	if ( ++p == pe )
		goto _test_eof3387;
case 3387:
	if ( (*p) == 109 )
		goto st3388;
	goto st0;
st3388:
	if ( ++p == pe )
		goto _test_eof3388;
case 3388:
	if ( (*p) == 101 )
		goto st3389;
	goto st0;
st3389:
	if ( ++p == pe )
		goto _test_eof3389;
case 3389:
	if ( (*p) == 114 )
		goto st3390;
	goto st0;
st3390:
	if ( ++p == pe )
		goto _test_eof3390;
case 3390:
	if ( (*p) == 116 )
		goto st3391;
	goto st0;
st3391:
	if ( ++p == pe )
		goto _test_eof3391;
case 3391:
	if ( (*p) == 117 )
		goto st3392;
	goto st0;
st3392:
	if ( ++p == pe )
		goto _test_eof3392;
case 3392:
	if ( (*p) == 114 )
		goto st3393;
	goto st0;
st3393:
	if ( ++p == pe )
		goto _test_eof3393;
case 3393:
	if ( (*p) == 122 )
		goto st3394;
	goto st0;
st3394:
	if ( ++p == pe )
		goto _test_eof3394;
case 3394:
	if ( (*p) == 97 )
		goto tr3691;
	goto st0;
st3395:
	if ( ++p == pe )
		goto _test_eof3395;
case 3395:
	switch( (*p) ) {
		case 103: goto st3396;
		case 107: goto st3403;
		case 112: goto st3405;
	}
	goto st0;
st3396:
	if ( ++p == pe )
		goto _test_eof3396;
case 3396:
	if ( (*p) == 97 )
		goto st3397;
	goto st0;
st3397:
	if ( ++p == pe )
		goto _test_eof3397;
case 3397:
	if ( (*p) == 115 )
		goto st3398;
	goto st0;
st3398:
	if ( ++p == pe )
		goto _test_eof3398;
case 3398:
	if ( (*p) == 116 )
		goto st3399;
	goto st0;
st3399:
	if ( ++p == pe )
		goto _test_eof3399;
case 3399:
	if ( (*p) == 108 )
		goto st3400;
	goto st0;
st3400:
	if ( ++p == pe )
		goto _test_eof3400;
case 3400:
	if ( (*p) == 97 )
		goto st3401;
	goto st0;
st3401:
	if ( ++p == pe )
		goto _test_eof3401;
case 3401:
	if ( (*p) == 109 )
		goto st3402;
	goto st0;
st3402:
	if ( ++p == pe )
		goto _test_eof3402;
case 3402:
	if ( (*p) == 117 )
		goto tr3701;
	goto st0;
st3403:
	if ( ++p == pe )
		goto _test_eof3403;
case 3403:
	if ( (*p) == 101 )
		goto st3404;
	goto st0;
st3404:
	if ( ++p == pe )
		goto _test_eof3404;
case 3404:
	if ( (*p) == 114 )
		goto tr3703;
	goto st0;
st3405:
	if ( ++p == pe )
		goto _test_eof3405;
case 3405:
	if ( (*p) == 101 )
		goto st3406;
	goto st0;
st3406:
	if ( ++p == pe )
		goto _test_eof3406;
case 3406:
	if ( (*p) == 110 )
		goto st3407;
	goto st0;
st3407:
	if ( ++p == pe )
		goto _test_eof3407;
case 3407:
	if ( (*p) == 102 )
		goto st3408;
	goto st0;
st3408:
	if ( ++p == pe )
		goto _test_eof3408;
case 3408:
	if ( (*p) == 111 )
		goto st3409;
	goto st0;
st3409:
	if ( ++p == pe )
		goto _test_eof3409;
case 3409:
	if ( (*p) == 110 )
		goto st3410;
	goto st0;
st3410:
	if ( ++p == pe )
		goto _test_eof3410;
case 3410:
	if ( (*p) == 116 )
		goto st3411;
	goto st0;
st3411:
	if ( ++p == pe )
		goto _test_eof3411;
case 3411:
	if ( (*p) == 101 )
		goto st3412;
	goto st0;
st3412:
	if ( ++p == pe )
		goto _test_eof3412;
case 3412:
	if ( (*p) == 115 )
		goto st3413;
	goto st0;
st3413:
	if ( ++p == pe )
		goto _test_eof3413;
case 3413:
	if ( (*p) == 116 )
		goto tr3712;
	goto st0;
st3414:
	if ( ++p == pe )
		goto _test_eof3414;
case 3414:
	if ( (*p) == 116 )
		goto st3415;
	goto st0;
st3415:
	if ( ++p == pe )
		goto _test_eof3415;
case 3415:
	if ( (*p) == 110 )
		goto st3416;
	goto st0;
st3416:
	if ( ++p == pe )
		goto _test_eof3416;
case 3416:
	if ( (*p) == 117 )
		goto st3417;
	goto st0;
st3417:
	if ( ++p == pe )
		goto _test_eof3417;
case 3417:
	if ( (*p) == 109 )
		goto st3418;
	goto st0;
st3418:
	if ( ++p == pe )
		goto _test_eof3418;
case 3418:
	if ( (*p) == 105 )
		goto st3419;
	goto st0;
st3419:
	if ( ++p == pe )
		goto _test_eof3419;
case 3419:
	if ( (*p) == 112 )
		goto st3420;
	goto st0;
st3420:
	if ( ++p == pe )
		goto _test_eof3420;
case 3420:
	if ( (*p) == 101 )
		goto st3421;
	goto st0;
st3421:
	if ( ++p == pe )
		goto _test_eof3421;
case 3421:
	if ( (*p) == 114 )
		goto st3422;
	goto st0;
st3422:
	if ( ++p == pe )
		goto _test_eof3422;
case 3422:
	if ( (*p) == 118 )
		goto st3423;
	goto st0;
st3423:
	if ( ++p == pe )
		goto _test_eof3423;
case 3423:
	if ( (*p) == 101 )
		goto st3424;
	goto st0;
st3424:
	if ( ++p == pe )
		goto _test_eof3424;
case 3424:
	if ( (*p) == 115 )
		goto st3425;
	goto st0;
st3425:
	if ( ++p == pe )
		goto _test_eof3425;
case 3425:
	if ( (*p) == 117 )
		goto st3426;
	goto st0;
st3426:
	if ( ++p == pe )
		goto _test_eof3426;
case 3426:
	if ( (*p) == 115 )
		goto st3427;
	goto st0;
st3427:
	if ( ++p == pe )
		goto _test_eof3427;
case 3427:
	if ( (*p) == 116 )
		goto st3428;
	goto st0;
st3428:
	if ( ++p == pe )
		goto _test_eof3428;
case 3428:
	if ( (*p) == 107 )
		goto st3429;
	goto st0;
st3429:
	if ( ++p == pe )
		goto _test_eof3429;
case 3429:
	if ( (*p) == 97 )
		goto st3430;
	goto st0;
st3430:
	if ( ++p == pe )
		goto _test_eof3430;
case 3430:
	if ( (*p) == 110 )
		goto tr3729;
	goto st0;
st3431:
	if ( ++p == pe )
		goto _test_eof3431;
case 3431:
	switch( (*p) ) {
		case 98: goto st3432;
		case 122: goto st3434;
	}
	goto st0;
st3432:
	if ( ++p == pe )
		goto _test_eof3432;
case 3432:
	if ( (*p) == 105 )
		goto st3433;
	goto st0;
st3433:
	if ( ++p == pe )
		goto _test_eof3433;
case 3433:
	if ( (*p) == 114 )
		goto tr3733;
	goto st0;
st3434:
	if ( ++p == pe )
		goto _test_eof3434;
case 3434:
	if ( (*p) == 97 )
		goto st3435;
	goto st0;
st3435:
	if ( ++p == pe )
		goto _test_eof3435;
case 3435:
	if ( (*p) == 114 )
		goto st3436;
	goto st0;
st3436:
	if ( ++p == pe )
		goto _test_eof3436;
case 3436:
	if ( (*p) == 109 )
		goto st3437;
	goto st0;
st3437:
	if ( ++p == pe )
		goto _test_eof3437;
case 3437:
	if ( (*p) == 101 )
		goto st3438;
	goto st0;
st3438:
	if ( ++p == pe )
		goto _test_eof3438;
case 3438:
	if ( (*p) == 115 )
		goto st3439;
	goto st0;
st3439:
	if ( ++p == pe )
		goto _test_eof3439;
case 3439:
	if ( (*p) == 116 )
		goto st3440;
	goto st0;
st3440:
	if ( ++p == pe )
		goto _test_eof3440;
case 3440:
	if ( (*p) == 122 )
		goto st3441;
	goto st0;
st3441:
	if ( ++p == pe )
		goto _test_eof3441;
case 3441:
	if ( (*p) == 97 )
		goto st3442;
	goto st0;
st3442:
	if ( ++p == pe )
		goto _test_eof3442;
case 3442:
	if ( (*p) == 115 )
		goto st3443;
	goto st0;
st3443:
	if ( ++p == pe )
		goto _test_eof3443;
case 3443:
	if ( (*p) == 116 )
		goto st3444;
	goto st0;
st3444:
	if ( ++p == pe )
		goto _test_eof3444;
case 3444:
	if ( (*p) == 112 )
		goto st3445;
	goto st0;
st3445:
	if ( ++p == pe )
		goto _test_eof3445;
case 3445:
	if ( (*p) == 105 )
		goto tr3745;
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
	_test_eof23: cs = 23; goto _test_eof; 
	_test_eof24: cs = 24; goto _test_eof; 
	_test_eof25: cs = 25; goto _test_eof; 
	_test_eof3446: cs = 3446; goto _test_eof; 
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
	_test_eof45: cs = 45; goto _test_eof; 
	_test_eof46: cs = 46; goto _test_eof; 
	_test_eof47: cs = 47; goto _test_eof; 
	_test_eof48: cs = 48; goto _test_eof; 
	_test_eof49: cs = 49; goto _test_eof; 
	_test_eof50: cs = 50; goto _test_eof; 
	_test_eof51: cs = 51; goto _test_eof; 
	_test_eof52: cs = 52; goto _test_eof; 
	_test_eof3447: cs = 3447; goto _test_eof; 
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
	_test_eof970: cs = 970; goto _test_eof; 
	_test_eof971: cs = 971; goto _test_eof; 
	_test_eof972: cs = 972; goto _test_eof; 
	_test_eof973: cs = 973; goto _test_eof; 
	_test_eof974: cs = 974; goto _test_eof; 
	_test_eof975: cs = 975; goto _test_eof; 
	_test_eof976: cs = 976; goto _test_eof; 
	_test_eof977: cs = 977; goto _test_eof; 
	_test_eof978: cs = 978; goto _test_eof; 
	_test_eof979: cs = 979; goto _test_eof; 
	_test_eof980: cs = 980; goto _test_eof; 
	_test_eof981: cs = 981; goto _test_eof; 
	_test_eof982: cs = 982; goto _test_eof; 
	_test_eof983: cs = 983; goto _test_eof; 
	_test_eof984: cs = 984; goto _test_eof; 
	_test_eof985: cs = 985; goto _test_eof; 
	_test_eof986: cs = 986; goto _test_eof; 
	_test_eof987: cs = 987; goto _test_eof; 
	_test_eof988: cs = 988; goto _test_eof; 
	_test_eof989: cs = 989; goto _test_eof; 
	_test_eof990: cs = 990; goto _test_eof; 
	_test_eof991: cs = 991; goto _test_eof; 
	_test_eof992: cs = 992; goto _test_eof; 
	_test_eof993: cs = 993; goto _test_eof; 
	_test_eof994: cs = 994; goto _test_eof; 
	_test_eof995: cs = 995; goto _test_eof; 
	_test_eof996: cs = 996; goto _test_eof; 
	_test_eof997: cs = 997; goto _test_eof; 
	_test_eof998: cs = 998; goto _test_eof; 
	_test_eof999: cs = 999; goto _test_eof; 
	_test_eof1000: cs = 1000; goto _test_eof; 
	_test_eof1001: cs = 1001; goto _test_eof; 
	_test_eof1002: cs = 1002; goto _test_eof; 
	_test_eof1003: cs = 1003; goto _test_eof; 
	_test_eof1004: cs = 1004; goto _test_eof; 
	_test_eof1005: cs = 1005; goto _test_eof; 
	_test_eof1006: cs = 1006; goto _test_eof; 
	_test_eof1007: cs = 1007; goto _test_eof; 
	_test_eof1008: cs = 1008; goto _test_eof; 
	_test_eof1009: cs = 1009; goto _test_eof; 
	_test_eof1010: cs = 1010; goto _test_eof; 
	_test_eof1011: cs = 1011; goto _test_eof; 
	_test_eof1012: cs = 1012; goto _test_eof; 
	_test_eof1013: cs = 1013; goto _test_eof; 
	_test_eof1014: cs = 1014; goto _test_eof; 
	_test_eof1015: cs = 1015; goto _test_eof; 
	_test_eof1016: cs = 1016; goto _test_eof; 
	_test_eof1017: cs = 1017; goto _test_eof; 
	_test_eof1018: cs = 1018; goto _test_eof; 
	_test_eof1019: cs = 1019; goto _test_eof; 
	_test_eof1020: cs = 1020; goto _test_eof; 
	_test_eof1021: cs = 1021; goto _test_eof; 
	_test_eof1022: cs = 1022; goto _test_eof; 
	_test_eof1023: cs = 1023; goto _test_eof; 
	_test_eof1024: cs = 1024; goto _test_eof; 
	_test_eof1025: cs = 1025; goto _test_eof; 
	_test_eof1026: cs = 1026; goto _test_eof; 
	_test_eof1027: cs = 1027; goto _test_eof; 
	_test_eof1028: cs = 1028; goto _test_eof; 
	_test_eof1029: cs = 1029; goto _test_eof; 
	_test_eof1030: cs = 1030; goto _test_eof; 
	_test_eof1031: cs = 1031; goto _test_eof; 
	_test_eof1032: cs = 1032; goto _test_eof; 
	_test_eof1033: cs = 1033; goto _test_eof; 
	_test_eof1034: cs = 1034; goto _test_eof; 
	_test_eof1035: cs = 1035; goto _test_eof; 
	_test_eof1036: cs = 1036; goto _test_eof; 
	_test_eof1037: cs = 1037; goto _test_eof; 
	_test_eof1038: cs = 1038; goto _test_eof; 
	_test_eof1039: cs = 1039; goto _test_eof; 
	_test_eof1040: cs = 1040; goto _test_eof; 
	_test_eof1041: cs = 1041; goto _test_eof; 
	_test_eof1042: cs = 1042; goto _test_eof; 
	_test_eof1043: cs = 1043; goto _test_eof; 
	_test_eof1044: cs = 1044; goto _test_eof; 
	_test_eof1045: cs = 1045; goto _test_eof; 
	_test_eof1046: cs = 1046; goto _test_eof; 
	_test_eof1047: cs = 1047; goto _test_eof; 
	_test_eof1048: cs = 1048; goto _test_eof; 
	_test_eof1049: cs = 1049; goto _test_eof; 
	_test_eof1050: cs = 1050; goto _test_eof; 
	_test_eof1051: cs = 1051; goto _test_eof; 
	_test_eof1052: cs = 1052; goto _test_eof; 
	_test_eof1053: cs = 1053; goto _test_eof; 
	_test_eof1054: cs = 1054; goto _test_eof; 
	_test_eof1055: cs = 1055; goto _test_eof; 
	_test_eof1056: cs = 1056; goto _test_eof; 
	_test_eof1057: cs = 1057; goto _test_eof; 
	_test_eof1058: cs = 1058; goto _test_eof; 
	_test_eof1059: cs = 1059; goto _test_eof; 
	_test_eof1060: cs = 1060; goto _test_eof; 
	_test_eof1061: cs = 1061; goto _test_eof; 
	_test_eof1062: cs = 1062; goto _test_eof; 
	_test_eof1063: cs = 1063; goto _test_eof; 
	_test_eof1064: cs = 1064; goto _test_eof; 
	_test_eof1065: cs = 1065; goto _test_eof; 
	_test_eof1066: cs = 1066; goto _test_eof; 
	_test_eof1067: cs = 1067; goto _test_eof; 
	_test_eof1068: cs = 1068; goto _test_eof; 
	_test_eof1069: cs = 1069; goto _test_eof; 
	_test_eof1070: cs = 1070; goto _test_eof; 
	_test_eof1071: cs = 1071; goto _test_eof; 
	_test_eof1072: cs = 1072; goto _test_eof; 
	_test_eof1073: cs = 1073; goto _test_eof; 
	_test_eof1074: cs = 1074; goto _test_eof; 
	_test_eof1075: cs = 1075; goto _test_eof; 
	_test_eof1076: cs = 1076; goto _test_eof; 
	_test_eof1077: cs = 1077; goto _test_eof; 
	_test_eof1078: cs = 1078; goto _test_eof; 
	_test_eof1079: cs = 1079; goto _test_eof; 
	_test_eof1080: cs = 1080; goto _test_eof; 
	_test_eof1081: cs = 1081; goto _test_eof; 
	_test_eof1082: cs = 1082; goto _test_eof; 
	_test_eof1083: cs = 1083; goto _test_eof; 
	_test_eof1084: cs = 1084; goto _test_eof; 
	_test_eof1085: cs = 1085; goto _test_eof; 
	_test_eof1086: cs = 1086; goto _test_eof; 
	_test_eof1087: cs = 1087; goto _test_eof; 
	_test_eof1088: cs = 1088; goto _test_eof; 
	_test_eof1089: cs = 1089; goto _test_eof; 
	_test_eof1090: cs = 1090; goto _test_eof; 
	_test_eof1091: cs = 1091; goto _test_eof; 
	_test_eof1092: cs = 1092; goto _test_eof; 
	_test_eof1093: cs = 1093; goto _test_eof; 
	_test_eof1094: cs = 1094; goto _test_eof; 
	_test_eof1095: cs = 1095; goto _test_eof; 
	_test_eof1096: cs = 1096; goto _test_eof; 
	_test_eof1097: cs = 1097; goto _test_eof; 
	_test_eof1098: cs = 1098; goto _test_eof; 
	_test_eof1099: cs = 1099; goto _test_eof; 
	_test_eof1100: cs = 1100; goto _test_eof; 
	_test_eof1101: cs = 1101; goto _test_eof; 
	_test_eof1102: cs = 1102; goto _test_eof; 
	_test_eof1103: cs = 1103; goto _test_eof; 
	_test_eof1104: cs = 1104; goto _test_eof; 
	_test_eof1105: cs = 1105; goto _test_eof; 
	_test_eof1106: cs = 1106; goto _test_eof; 
	_test_eof1107: cs = 1107; goto _test_eof; 
	_test_eof1108: cs = 1108; goto _test_eof; 
	_test_eof1109: cs = 1109; goto _test_eof; 
	_test_eof1110: cs = 1110; goto _test_eof; 
	_test_eof1111: cs = 1111; goto _test_eof; 
	_test_eof1112: cs = 1112; goto _test_eof; 
	_test_eof1113: cs = 1113; goto _test_eof; 
	_test_eof1114: cs = 1114; goto _test_eof; 
	_test_eof1115: cs = 1115; goto _test_eof; 
	_test_eof1116: cs = 1116; goto _test_eof; 
	_test_eof1117: cs = 1117; goto _test_eof; 
	_test_eof1118: cs = 1118; goto _test_eof; 
	_test_eof1119: cs = 1119; goto _test_eof; 
	_test_eof1120: cs = 1120; goto _test_eof; 
	_test_eof1121: cs = 1121; goto _test_eof; 
	_test_eof1122: cs = 1122; goto _test_eof; 
	_test_eof1123: cs = 1123; goto _test_eof; 
	_test_eof1124: cs = 1124; goto _test_eof; 
	_test_eof1125: cs = 1125; goto _test_eof; 
	_test_eof1126: cs = 1126; goto _test_eof; 
	_test_eof1127: cs = 1127; goto _test_eof; 
	_test_eof1128: cs = 1128; goto _test_eof; 
	_test_eof1129: cs = 1129; goto _test_eof; 
	_test_eof1130: cs = 1130; goto _test_eof; 
	_test_eof1131: cs = 1131; goto _test_eof; 
	_test_eof1132: cs = 1132; goto _test_eof; 
	_test_eof1133: cs = 1133; goto _test_eof; 
	_test_eof1134: cs = 1134; goto _test_eof; 
	_test_eof1135: cs = 1135; goto _test_eof; 
	_test_eof1136: cs = 1136; goto _test_eof; 
	_test_eof1137: cs = 1137; goto _test_eof; 
	_test_eof1138: cs = 1138; goto _test_eof; 
	_test_eof1139: cs = 1139; goto _test_eof; 
	_test_eof1140: cs = 1140; goto _test_eof; 
	_test_eof1141: cs = 1141; goto _test_eof; 
	_test_eof1142: cs = 1142; goto _test_eof; 
	_test_eof1143: cs = 1143; goto _test_eof; 
	_test_eof1144: cs = 1144; goto _test_eof; 
	_test_eof1145: cs = 1145; goto _test_eof; 
	_test_eof1146: cs = 1146; goto _test_eof; 
	_test_eof1147: cs = 1147; goto _test_eof; 
	_test_eof1148: cs = 1148; goto _test_eof; 
	_test_eof1149: cs = 1149; goto _test_eof; 
	_test_eof1150: cs = 1150; goto _test_eof; 
	_test_eof1151: cs = 1151; goto _test_eof; 
	_test_eof1152: cs = 1152; goto _test_eof; 
	_test_eof1153: cs = 1153; goto _test_eof; 
	_test_eof1154: cs = 1154; goto _test_eof; 
	_test_eof1155: cs = 1155; goto _test_eof; 
	_test_eof1156: cs = 1156; goto _test_eof; 
	_test_eof1157: cs = 1157; goto _test_eof; 
	_test_eof1158: cs = 1158; goto _test_eof; 
	_test_eof1159: cs = 1159; goto _test_eof; 
	_test_eof1160: cs = 1160; goto _test_eof; 
	_test_eof1161: cs = 1161; goto _test_eof; 
	_test_eof1162: cs = 1162; goto _test_eof; 
	_test_eof1163: cs = 1163; goto _test_eof; 
	_test_eof1164: cs = 1164; goto _test_eof; 
	_test_eof1165: cs = 1165; goto _test_eof; 
	_test_eof1166: cs = 1166; goto _test_eof; 
	_test_eof1167: cs = 1167; goto _test_eof; 
	_test_eof1168: cs = 1168; goto _test_eof; 
	_test_eof1169: cs = 1169; goto _test_eof; 
	_test_eof1170: cs = 1170; goto _test_eof; 
	_test_eof1171: cs = 1171; goto _test_eof; 
	_test_eof1172: cs = 1172; goto _test_eof; 
	_test_eof1173: cs = 1173; goto _test_eof; 
	_test_eof1174: cs = 1174; goto _test_eof; 
	_test_eof1175: cs = 1175; goto _test_eof; 
	_test_eof1176: cs = 1176; goto _test_eof; 
	_test_eof1177: cs = 1177; goto _test_eof; 
	_test_eof1178: cs = 1178; goto _test_eof; 
	_test_eof1179: cs = 1179; goto _test_eof; 
	_test_eof1180: cs = 1180; goto _test_eof; 
	_test_eof1181: cs = 1181; goto _test_eof; 
	_test_eof1182: cs = 1182; goto _test_eof; 
	_test_eof1183: cs = 1183; goto _test_eof; 
	_test_eof1184: cs = 1184; goto _test_eof; 
	_test_eof1185: cs = 1185; goto _test_eof; 
	_test_eof1186: cs = 1186; goto _test_eof; 
	_test_eof1187: cs = 1187; goto _test_eof; 
	_test_eof1188: cs = 1188; goto _test_eof; 
	_test_eof1189: cs = 1189; goto _test_eof; 
	_test_eof1190: cs = 1190; goto _test_eof; 
	_test_eof1191: cs = 1191; goto _test_eof; 
	_test_eof1192: cs = 1192; goto _test_eof; 
	_test_eof1193: cs = 1193; goto _test_eof; 
	_test_eof1194: cs = 1194; goto _test_eof; 
	_test_eof1195: cs = 1195; goto _test_eof; 
	_test_eof1196: cs = 1196; goto _test_eof; 
	_test_eof1197: cs = 1197; goto _test_eof; 
	_test_eof1198: cs = 1198; goto _test_eof; 
	_test_eof1199: cs = 1199; goto _test_eof; 
	_test_eof1200: cs = 1200; goto _test_eof; 
	_test_eof1201: cs = 1201; goto _test_eof; 
	_test_eof1202: cs = 1202; goto _test_eof; 
	_test_eof1203: cs = 1203; goto _test_eof; 
	_test_eof1204: cs = 1204; goto _test_eof; 
	_test_eof1205: cs = 1205; goto _test_eof; 
	_test_eof1206: cs = 1206; goto _test_eof; 
	_test_eof1207: cs = 1207; goto _test_eof; 
	_test_eof1208: cs = 1208; goto _test_eof; 
	_test_eof1209: cs = 1209; goto _test_eof; 
	_test_eof1210: cs = 1210; goto _test_eof; 
	_test_eof1211: cs = 1211; goto _test_eof; 
	_test_eof1212: cs = 1212; goto _test_eof; 
	_test_eof1213: cs = 1213; goto _test_eof; 
	_test_eof1214: cs = 1214; goto _test_eof; 
	_test_eof1215: cs = 1215; goto _test_eof; 
	_test_eof1216: cs = 1216; goto _test_eof; 
	_test_eof1217: cs = 1217; goto _test_eof; 
	_test_eof1218: cs = 1218; goto _test_eof; 
	_test_eof1219: cs = 1219; goto _test_eof; 
	_test_eof1220: cs = 1220; goto _test_eof; 
	_test_eof1221: cs = 1221; goto _test_eof; 
	_test_eof1222: cs = 1222; goto _test_eof; 
	_test_eof1223: cs = 1223; goto _test_eof; 
	_test_eof1224: cs = 1224; goto _test_eof; 
	_test_eof1225: cs = 1225; goto _test_eof; 
	_test_eof1226: cs = 1226; goto _test_eof; 
	_test_eof1227: cs = 1227; goto _test_eof; 
	_test_eof1228: cs = 1228; goto _test_eof; 
	_test_eof1229: cs = 1229; goto _test_eof; 
	_test_eof1230: cs = 1230; goto _test_eof; 
	_test_eof1231: cs = 1231; goto _test_eof; 
	_test_eof1232: cs = 1232; goto _test_eof; 
	_test_eof1233: cs = 1233; goto _test_eof; 
	_test_eof1234: cs = 1234; goto _test_eof; 
	_test_eof1235: cs = 1235; goto _test_eof; 
	_test_eof1236: cs = 1236; goto _test_eof; 
	_test_eof1237: cs = 1237; goto _test_eof; 
	_test_eof1238: cs = 1238; goto _test_eof; 
	_test_eof1239: cs = 1239; goto _test_eof; 
	_test_eof1240: cs = 1240; goto _test_eof; 
	_test_eof1241: cs = 1241; goto _test_eof; 
	_test_eof1242: cs = 1242; goto _test_eof; 
	_test_eof1243: cs = 1243; goto _test_eof; 
	_test_eof1244: cs = 1244; goto _test_eof; 
	_test_eof1245: cs = 1245; goto _test_eof; 
	_test_eof1246: cs = 1246; goto _test_eof; 
	_test_eof1247: cs = 1247; goto _test_eof; 
	_test_eof1248: cs = 1248; goto _test_eof; 
	_test_eof1249: cs = 1249; goto _test_eof; 
	_test_eof1250: cs = 1250; goto _test_eof; 
	_test_eof1251: cs = 1251; goto _test_eof; 
	_test_eof1252: cs = 1252; goto _test_eof; 
	_test_eof1253: cs = 1253; goto _test_eof; 
	_test_eof1254: cs = 1254; goto _test_eof; 
	_test_eof1255: cs = 1255; goto _test_eof; 
	_test_eof1256: cs = 1256; goto _test_eof; 
	_test_eof1257: cs = 1257; goto _test_eof; 
	_test_eof1258: cs = 1258; goto _test_eof; 
	_test_eof1259: cs = 1259; goto _test_eof; 
	_test_eof1260: cs = 1260; goto _test_eof; 
	_test_eof1261: cs = 1261; goto _test_eof; 
	_test_eof1262: cs = 1262; goto _test_eof; 
	_test_eof1263: cs = 1263; goto _test_eof; 
	_test_eof1264: cs = 1264; goto _test_eof; 
	_test_eof1265: cs = 1265; goto _test_eof; 
	_test_eof1266: cs = 1266; goto _test_eof; 
	_test_eof1267: cs = 1267; goto _test_eof; 
	_test_eof1268: cs = 1268; goto _test_eof; 
	_test_eof1269: cs = 1269; goto _test_eof; 
	_test_eof1270: cs = 1270; goto _test_eof; 
	_test_eof1271: cs = 1271; goto _test_eof; 
	_test_eof1272: cs = 1272; goto _test_eof; 
	_test_eof1273: cs = 1273; goto _test_eof; 
	_test_eof1274: cs = 1274; goto _test_eof; 
	_test_eof1275: cs = 1275; goto _test_eof; 
	_test_eof1276: cs = 1276; goto _test_eof; 
	_test_eof1277: cs = 1277; goto _test_eof; 
	_test_eof1278: cs = 1278; goto _test_eof; 
	_test_eof1279: cs = 1279; goto _test_eof; 
	_test_eof1280: cs = 1280; goto _test_eof; 
	_test_eof1281: cs = 1281; goto _test_eof; 
	_test_eof1282: cs = 1282; goto _test_eof; 
	_test_eof1283: cs = 1283; goto _test_eof; 
	_test_eof1284: cs = 1284; goto _test_eof; 
	_test_eof1285: cs = 1285; goto _test_eof; 
	_test_eof1286: cs = 1286; goto _test_eof; 
	_test_eof1287: cs = 1287; goto _test_eof; 
	_test_eof1288: cs = 1288; goto _test_eof; 
	_test_eof1289: cs = 1289; goto _test_eof; 
	_test_eof1290: cs = 1290; goto _test_eof; 
	_test_eof1291: cs = 1291; goto _test_eof; 
	_test_eof1292: cs = 1292; goto _test_eof; 
	_test_eof1293: cs = 1293; goto _test_eof; 
	_test_eof1294: cs = 1294; goto _test_eof; 
	_test_eof1295: cs = 1295; goto _test_eof; 
	_test_eof1296: cs = 1296; goto _test_eof; 
	_test_eof1297: cs = 1297; goto _test_eof; 
	_test_eof1298: cs = 1298; goto _test_eof; 
	_test_eof1299: cs = 1299; goto _test_eof; 
	_test_eof1300: cs = 1300; goto _test_eof; 
	_test_eof1301: cs = 1301; goto _test_eof; 
	_test_eof1302: cs = 1302; goto _test_eof; 
	_test_eof1303: cs = 1303; goto _test_eof; 
	_test_eof1304: cs = 1304; goto _test_eof; 
	_test_eof1305: cs = 1305; goto _test_eof; 
	_test_eof1306: cs = 1306; goto _test_eof; 
	_test_eof1307: cs = 1307; goto _test_eof; 
	_test_eof1308: cs = 1308; goto _test_eof; 
	_test_eof1309: cs = 1309; goto _test_eof; 
	_test_eof1310: cs = 1310; goto _test_eof; 
	_test_eof1311: cs = 1311; goto _test_eof; 
	_test_eof1312: cs = 1312; goto _test_eof; 
	_test_eof1313: cs = 1313; goto _test_eof; 
	_test_eof1314: cs = 1314; goto _test_eof; 
	_test_eof1315: cs = 1315; goto _test_eof; 
	_test_eof1316: cs = 1316; goto _test_eof; 
	_test_eof1317: cs = 1317; goto _test_eof; 
	_test_eof1318: cs = 1318; goto _test_eof; 
	_test_eof1319: cs = 1319; goto _test_eof; 
	_test_eof1320: cs = 1320; goto _test_eof; 
	_test_eof1321: cs = 1321; goto _test_eof; 
	_test_eof1322: cs = 1322; goto _test_eof; 
	_test_eof1323: cs = 1323; goto _test_eof; 
	_test_eof1324: cs = 1324; goto _test_eof; 
	_test_eof1325: cs = 1325; goto _test_eof; 
	_test_eof1326: cs = 1326; goto _test_eof; 
	_test_eof1327: cs = 1327; goto _test_eof; 
	_test_eof1328: cs = 1328; goto _test_eof; 
	_test_eof1329: cs = 1329; goto _test_eof; 
	_test_eof1330: cs = 1330; goto _test_eof; 
	_test_eof1331: cs = 1331; goto _test_eof; 
	_test_eof1332: cs = 1332; goto _test_eof; 
	_test_eof1333: cs = 1333; goto _test_eof; 
	_test_eof1334: cs = 1334; goto _test_eof; 
	_test_eof1335: cs = 1335; goto _test_eof; 
	_test_eof1336: cs = 1336; goto _test_eof; 
	_test_eof1337: cs = 1337; goto _test_eof; 
	_test_eof1338: cs = 1338; goto _test_eof; 
	_test_eof1339: cs = 1339; goto _test_eof; 
	_test_eof1340: cs = 1340; goto _test_eof; 
	_test_eof1341: cs = 1341; goto _test_eof; 
	_test_eof1342: cs = 1342; goto _test_eof; 
	_test_eof1343: cs = 1343; goto _test_eof; 
	_test_eof1344: cs = 1344; goto _test_eof; 
	_test_eof1345: cs = 1345; goto _test_eof; 
	_test_eof1346: cs = 1346; goto _test_eof; 
	_test_eof1347: cs = 1347; goto _test_eof; 
	_test_eof1348: cs = 1348; goto _test_eof; 
	_test_eof1349: cs = 1349; goto _test_eof; 
	_test_eof1350: cs = 1350; goto _test_eof; 
	_test_eof1351: cs = 1351; goto _test_eof; 
	_test_eof1352: cs = 1352; goto _test_eof; 
	_test_eof1353: cs = 1353; goto _test_eof; 
	_test_eof1354: cs = 1354; goto _test_eof; 
	_test_eof1355: cs = 1355; goto _test_eof; 
	_test_eof1356: cs = 1356; goto _test_eof; 
	_test_eof1357: cs = 1357; goto _test_eof; 
	_test_eof1358: cs = 1358; goto _test_eof; 
	_test_eof1359: cs = 1359; goto _test_eof; 
	_test_eof1360: cs = 1360; goto _test_eof; 
	_test_eof1361: cs = 1361; goto _test_eof; 
	_test_eof1362: cs = 1362; goto _test_eof; 
	_test_eof1363: cs = 1363; goto _test_eof; 
	_test_eof1364: cs = 1364; goto _test_eof; 
	_test_eof1365: cs = 1365; goto _test_eof; 
	_test_eof1366: cs = 1366; goto _test_eof; 
	_test_eof1367: cs = 1367; goto _test_eof; 
	_test_eof1368: cs = 1368; goto _test_eof; 
	_test_eof1369: cs = 1369; goto _test_eof; 
	_test_eof1370: cs = 1370; goto _test_eof; 
	_test_eof1371: cs = 1371; goto _test_eof; 
	_test_eof1372: cs = 1372; goto _test_eof; 
	_test_eof1373: cs = 1373; goto _test_eof; 
	_test_eof1374: cs = 1374; goto _test_eof; 
	_test_eof1375: cs = 1375; goto _test_eof; 
	_test_eof1376: cs = 1376; goto _test_eof; 
	_test_eof1377: cs = 1377; goto _test_eof; 
	_test_eof1378: cs = 1378; goto _test_eof; 
	_test_eof1379: cs = 1379; goto _test_eof; 
	_test_eof1380: cs = 1380; goto _test_eof; 
	_test_eof1381: cs = 1381; goto _test_eof; 
	_test_eof1382: cs = 1382; goto _test_eof; 
	_test_eof1383: cs = 1383; goto _test_eof; 
	_test_eof1384: cs = 1384; goto _test_eof; 
	_test_eof1385: cs = 1385; goto _test_eof; 
	_test_eof1386: cs = 1386; goto _test_eof; 
	_test_eof1387: cs = 1387; goto _test_eof; 
	_test_eof1388: cs = 1388; goto _test_eof; 
	_test_eof1389: cs = 1389; goto _test_eof; 
	_test_eof1390: cs = 1390; goto _test_eof; 
	_test_eof1391: cs = 1391; goto _test_eof; 
	_test_eof1392: cs = 1392; goto _test_eof; 
	_test_eof1393: cs = 1393; goto _test_eof; 
	_test_eof1394: cs = 1394; goto _test_eof; 
	_test_eof1395: cs = 1395; goto _test_eof; 
	_test_eof1396: cs = 1396; goto _test_eof; 
	_test_eof1397: cs = 1397; goto _test_eof; 
	_test_eof1398: cs = 1398; goto _test_eof; 
	_test_eof1399: cs = 1399; goto _test_eof; 
	_test_eof1400: cs = 1400; goto _test_eof; 
	_test_eof1401: cs = 1401; goto _test_eof; 
	_test_eof1402: cs = 1402; goto _test_eof; 
	_test_eof1403: cs = 1403; goto _test_eof; 
	_test_eof1404: cs = 1404; goto _test_eof; 
	_test_eof1405: cs = 1405; goto _test_eof; 
	_test_eof1406: cs = 1406; goto _test_eof; 
	_test_eof1407: cs = 1407; goto _test_eof; 
	_test_eof1408: cs = 1408; goto _test_eof; 
	_test_eof1409: cs = 1409; goto _test_eof; 
	_test_eof1410: cs = 1410; goto _test_eof; 
	_test_eof1411: cs = 1411; goto _test_eof; 
	_test_eof1412: cs = 1412; goto _test_eof; 
	_test_eof1413: cs = 1413; goto _test_eof; 
	_test_eof1414: cs = 1414; goto _test_eof; 
	_test_eof1415: cs = 1415; goto _test_eof; 
	_test_eof1416: cs = 1416; goto _test_eof; 
	_test_eof1417: cs = 1417; goto _test_eof; 
	_test_eof1418: cs = 1418; goto _test_eof; 
	_test_eof1419: cs = 1419; goto _test_eof; 
	_test_eof1420: cs = 1420; goto _test_eof; 
	_test_eof1421: cs = 1421; goto _test_eof; 
	_test_eof1422: cs = 1422; goto _test_eof; 
	_test_eof1423: cs = 1423; goto _test_eof; 
	_test_eof1424: cs = 1424; goto _test_eof; 
	_test_eof1425: cs = 1425; goto _test_eof; 
	_test_eof1426: cs = 1426; goto _test_eof; 
	_test_eof1427: cs = 1427; goto _test_eof; 
	_test_eof1428: cs = 1428; goto _test_eof; 
	_test_eof1429: cs = 1429; goto _test_eof; 
	_test_eof1430: cs = 1430; goto _test_eof; 
	_test_eof1431: cs = 1431; goto _test_eof; 
	_test_eof1432: cs = 1432; goto _test_eof; 
	_test_eof1433: cs = 1433; goto _test_eof; 
	_test_eof1434: cs = 1434; goto _test_eof; 
	_test_eof1435: cs = 1435; goto _test_eof; 
	_test_eof1436: cs = 1436; goto _test_eof; 
	_test_eof1437: cs = 1437; goto _test_eof; 
	_test_eof1438: cs = 1438; goto _test_eof; 
	_test_eof1439: cs = 1439; goto _test_eof; 
	_test_eof1440: cs = 1440; goto _test_eof; 
	_test_eof1441: cs = 1441; goto _test_eof; 
	_test_eof1442: cs = 1442; goto _test_eof; 
	_test_eof1443: cs = 1443; goto _test_eof; 
	_test_eof1444: cs = 1444; goto _test_eof; 
	_test_eof1445: cs = 1445; goto _test_eof; 
	_test_eof1446: cs = 1446; goto _test_eof; 
	_test_eof1447: cs = 1447; goto _test_eof; 
	_test_eof1448: cs = 1448; goto _test_eof; 
	_test_eof1449: cs = 1449; goto _test_eof; 
	_test_eof1450: cs = 1450; goto _test_eof; 
	_test_eof1451: cs = 1451; goto _test_eof; 
	_test_eof1452: cs = 1452; goto _test_eof; 
	_test_eof1453: cs = 1453; goto _test_eof; 
	_test_eof1454: cs = 1454; goto _test_eof; 
	_test_eof1455: cs = 1455; goto _test_eof; 
	_test_eof1456: cs = 1456; goto _test_eof; 
	_test_eof1457: cs = 1457; goto _test_eof; 
	_test_eof1458: cs = 1458; goto _test_eof; 
	_test_eof1459: cs = 1459; goto _test_eof; 
	_test_eof1460: cs = 1460; goto _test_eof; 
	_test_eof1461: cs = 1461; goto _test_eof; 
	_test_eof1462: cs = 1462; goto _test_eof; 
	_test_eof1463: cs = 1463; goto _test_eof; 
	_test_eof1464: cs = 1464; goto _test_eof; 
	_test_eof1465: cs = 1465; goto _test_eof; 
	_test_eof1466: cs = 1466; goto _test_eof; 
	_test_eof1467: cs = 1467; goto _test_eof; 
	_test_eof1468: cs = 1468; goto _test_eof; 
	_test_eof1469: cs = 1469; goto _test_eof; 
	_test_eof1470: cs = 1470; goto _test_eof; 
	_test_eof1471: cs = 1471; goto _test_eof; 
	_test_eof1472: cs = 1472; goto _test_eof; 
	_test_eof1473: cs = 1473; goto _test_eof; 
	_test_eof1474: cs = 1474; goto _test_eof; 
	_test_eof1475: cs = 1475; goto _test_eof; 
	_test_eof1476: cs = 1476; goto _test_eof; 
	_test_eof1477: cs = 1477; goto _test_eof; 
	_test_eof1478: cs = 1478; goto _test_eof; 
	_test_eof1479: cs = 1479; goto _test_eof; 
	_test_eof1480: cs = 1480; goto _test_eof; 
	_test_eof1481: cs = 1481; goto _test_eof; 
	_test_eof1482: cs = 1482; goto _test_eof; 
	_test_eof1483: cs = 1483; goto _test_eof; 
	_test_eof1484: cs = 1484; goto _test_eof; 
	_test_eof1485: cs = 1485; goto _test_eof; 
	_test_eof1486: cs = 1486; goto _test_eof; 
	_test_eof1487: cs = 1487; goto _test_eof; 
	_test_eof1488: cs = 1488; goto _test_eof; 
	_test_eof1489: cs = 1489; goto _test_eof; 
	_test_eof1490: cs = 1490; goto _test_eof; 
	_test_eof1491: cs = 1491; goto _test_eof; 
	_test_eof1492: cs = 1492; goto _test_eof; 
	_test_eof1493: cs = 1493; goto _test_eof; 
	_test_eof1494: cs = 1494; goto _test_eof; 
	_test_eof1495: cs = 1495; goto _test_eof; 
	_test_eof1496: cs = 1496; goto _test_eof; 
	_test_eof1497: cs = 1497; goto _test_eof; 
	_test_eof1498: cs = 1498; goto _test_eof; 
	_test_eof1499: cs = 1499; goto _test_eof; 
	_test_eof1500: cs = 1500; goto _test_eof; 
	_test_eof1501: cs = 1501; goto _test_eof; 
	_test_eof1502: cs = 1502; goto _test_eof; 
	_test_eof1503: cs = 1503; goto _test_eof; 
	_test_eof1504: cs = 1504; goto _test_eof; 
	_test_eof1505: cs = 1505; goto _test_eof; 
	_test_eof1506: cs = 1506; goto _test_eof; 
	_test_eof1507: cs = 1507; goto _test_eof; 
	_test_eof1508: cs = 1508; goto _test_eof; 
	_test_eof1509: cs = 1509; goto _test_eof; 
	_test_eof1510: cs = 1510; goto _test_eof; 
	_test_eof1511: cs = 1511; goto _test_eof; 
	_test_eof1512: cs = 1512; goto _test_eof; 
	_test_eof1513: cs = 1513; goto _test_eof; 
	_test_eof1514: cs = 1514; goto _test_eof; 
	_test_eof1515: cs = 1515; goto _test_eof; 
	_test_eof1516: cs = 1516; goto _test_eof; 
	_test_eof1517: cs = 1517; goto _test_eof; 
	_test_eof1518: cs = 1518; goto _test_eof; 
	_test_eof1519: cs = 1519; goto _test_eof; 
	_test_eof1520: cs = 1520; goto _test_eof; 
	_test_eof1521: cs = 1521; goto _test_eof; 
	_test_eof1522: cs = 1522; goto _test_eof; 
	_test_eof1523: cs = 1523; goto _test_eof; 
	_test_eof1524: cs = 1524; goto _test_eof; 
	_test_eof1525: cs = 1525; goto _test_eof; 
	_test_eof1526: cs = 1526; goto _test_eof; 
	_test_eof1527: cs = 1527; goto _test_eof; 
	_test_eof1528: cs = 1528; goto _test_eof; 
	_test_eof1529: cs = 1529; goto _test_eof; 
	_test_eof1530: cs = 1530; goto _test_eof; 
	_test_eof1531: cs = 1531; goto _test_eof; 
	_test_eof1532: cs = 1532; goto _test_eof; 
	_test_eof1533: cs = 1533; goto _test_eof; 
	_test_eof1534: cs = 1534; goto _test_eof; 
	_test_eof1535: cs = 1535; goto _test_eof; 
	_test_eof1536: cs = 1536; goto _test_eof; 
	_test_eof1537: cs = 1537; goto _test_eof; 
	_test_eof1538: cs = 1538; goto _test_eof; 
	_test_eof1539: cs = 1539; goto _test_eof; 
	_test_eof1540: cs = 1540; goto _test_eof; 
	_test_eof1541: cs = 1541; goto _test_eof; 
	_test_eof1542: cs = 1542; goto _test_eof; 
	_test_eof1543: cs = 1543; goto _test_eof; 
	_test_eof1544: cs = 1544; goto _test_eof; 
	_test_eof1545: cs = 1545; goto _test_eof; 
	_test_eof1546: cs = 1546; goto _test_eof; 
	_test_eof1547: cs = 1547; goto _test_eof; 
	_test_eof1548: cs = 1548; goto _test_eof; 
	_test_eof1549: cs = 1549; goto _test_eof; 
	_test_eof1550: cs = 1550; goto _test_eof; 
	_test_eof1551: cs = 1551; goto _test_eof; 
	_test_eof1552: cs = 1552; goto _test_eof; 
	_test_eof1553: cs = 1553; goto _test_eof; 
	_test_eof1554: cs = 1554; goto _test_eof; 
	_test_eof1555: cs = 1555; goto _test_eof; 
	_test_eof1556: cs = 1556; goto _test_eof; 
	_test_eof1557: cs = 1557; goto _test_eof; 
	_test_eof1558: cs = 1558; goto _test_eof; 
	_test_eof1559: cs = 1559; goto _test_eof; 
	_test_eof1560: cs = 1560; goto _test_eof; 
	_test_eof1561: cs = 1561; goto _test_eof; 
	_test_eof1562: cs = 1562; goto _test_eof; 
	_test_eof1563: cs = 1563; goto _test_eof; 
	_test_eof1564: cs = 1564; goto _test_eof; 
	_test_eof1565: cs = 1565; goto _test_eof; 
	_test_eof1566: cs = 1566; goto _test_eof; 
	_test_eof1567: cs = 1567; goto _test_eof; 
	_test_eof1568: cs = 1568; goto _test_eof; 
	_test_eof1569: cs = 1569; goto _test_eof; 
	_test_eof1570: cs = 1570; goto _test_eof; 
	_test_eof1571: cs = 1571; goto _test_eof; 
	_test_eof1572: cs = 1572; goto _test_eof; 
	_test_eof1573: cs = 1573; goto _test_eof; 
	_test_eof1574: cs = 1574; goto _test_eof; 
	_test_eof1575: cs = 1575; goto _test_eof; 
	_test_eof1576: cs = 1576; goto _test_eof; 
	_test_eof1577: cs = 1577; goto _test_eof; 
	_test_eof1578: cs = 1578; goto _test_eof; 
	_test_eof1579: cs = 1579; goto _test_eof; 
	_test_eof1580: cs = 1580; goto _test_eof; 
	_test_eof1581: cs = 1581; goto _test_eof; 
	_test_eof1582: cs = 1582; goto _test_eof; 
	_test_eof1583: cs = 1583; goto _test_eof; 
	_test_eof1584: cs = 1584; goto _test_eof; 
	_test_eof1585: cs = 1585; goto _test_eof; 
	_test_eof1586: cs = 1586; goto _test_eof; 
	_test_eof1587: cs = 1587; goto _test_eof; 
	_test_eof1588: cs = 1588; goto _test_eof; 
	_test_eof1589: cs = 1589; goto _test_eof; 
	_test_eof1590: cs = 1590; goto _test_eof; 
	_test_eof1591: cs = 1591; goto _test_eof; 
	_test_eof1592: cs = 1592; goto _test_eof; 
	_test_eof1593: cs = 1593; goto _test_eof; 
	_test_eof1594: cs = 1594; goto _test_eof; 
	_test_eof1595: cs = 1595; goto _test_eof; 
	_test_eof1596: cs = 1596; goto _test_eof; 
	_test_eof1597: cs = 1597; goto _test_eof; 
	_test_eof1598: cs = 1598; goto _test_eof; 
	_test_eof1599: cs = 1599; goto _test_eof; 
	_test_eof1600: cs = 1600; goto _test_eof; 
	_test_eof1601: cs = 1601; goto _test_eof; 
	_test_eof1602: cs = 1602; goto _test_eof; 
	_test_eof1603: cs = 1603; goto _test_eof; 
	_test_eof1604: cs = 1604; goto _test_eof; 
	_test_eof1605: cs = 1605; goto _test_eof; 
	_test_eof1606: cs = 1606; goto _test_eof; 
	_test_eof1607: cs = 1607; goto _test_eof; 
	_test_eof1608: cs = 1608; goto _test_eof; 
	_test_eof1609: cs = 1609; goto _test_eof; 
	_test_eof1610: cs = 1610; goto _test_eof; 
	_test_eof1611: cs = 1611; goto _test_eof; 
	_test_eof1612: cs = 1612; goto _test_eof; 
	_test_eof1613: cs = 1613; goto _test_eof; 
	_test_eof1614: cs = 1614; goto _test_eof; 
	_test_eof1615: cs = 1615; goto _test_eof; 
	_test_eof1616: cs = 1616; goto _test_eof; 
	_test_eof1617: cs = 1617; goto _test_eof; 
	_test_eof1618: cs = 1618; goto _test_eof; 
	_test_eof1619: cs = 1619; goto _test_eof; 
	_test_eof1620: cs = 1620; goto _test_eof; 
	_test_eof1621: cs = 1621; goto _test_eof; 
	_test_eof1622: cs = 1622; goto _test_eof; 
	_test_eof1623: cs = 1623; goto _test_eof; 
	_test_eof1624: cs = 1624; goto _test_eof; 
	_test_eof1625: cs = 1625; goto _test_eof; 
	_test_eof1626: cs = 1626; goto _test_eof; 
	_test_eof1627: cs = 1627; goto _test_eof; 
	_test_eof1628: cs = 1628; goto _test_eof; 
	_test_eof1629: cs = 1629; goto _test_eof; 
	_test_eof1630: cs = 1630; goto _test_eof; 
	_test_eof1631: cs = 1631; goto _test_eof; 
	_test_eof1632: cs = 1632; goto _test_eof; 
	_test_eof1633: cs = 1633; goto _test_eof; 
	_test_eof1634: cs = 1634; goto _test_eof; 
	_test_eof1635: cs = 1635; goto _test_eof; 
	_test_eof1636: cs = 1636; goto _test_eof; 
	_test_eof1637: cs = 1637; goto _test_eof; 
	_test_eof1638: cs = 1638; goto _test_eof; 
	_test_eof1639: cs = 1639; goto _test_eof; 
	_test_eof1640: cs = 1640; goto _test_eof; 
	_test_eof1641: cs = 1641; goto _test_eof; 
	_test_eof1642: cs = 1642; goto _test_eof; 
	_test_eof1643: cs = 1643; goto _test_eof; 
	_test_eof1644: cs = 1644; goto _test_eof; 
	_test_eof1645: cs = 1645; goto _test_eof; 
	_test_eof1646: cs = 1646; goto _test_eof; 
	_test_eof1647: cs = 1647; goto _test_eof; 
	_test_eof1648: cs = 1648; goto _test_eof; 
	_test_eof1649: cs = 1649; goto _test_eof; 
	_test_eof1650: cs = 1650; goto _test_eof; 
	_test_eof1651: cs = 1651; goto _test_eof; 
	_test_eof1652: cs = 1652; goto _test_eof; 
	_test_eof1653: cs = 1653; goto _test_eof; 
	_test_eof1654: cs = 1654; goto _test_eof; 
	_test_eof1655: cs = 1655; goto _test_eof; 
	_test_eof1656: cs = 1656; goto _test_eof; 
	_test_eof1657: cs = 1657; goto _test_eof; 
	_test_eof1658: cs = 1658; goto _test_eof; 
	_test_eof1659: cs = 1659; goto _test_eof; 
	_test_eof1660: cs = 1660; goto _test_eof; 
	_test_eof1661: cs = 1661; goto _test_eof; 
	_test_eof1662: cs = 1662; goto _test_eof; 
	_test_eof1663: cs = 1663; goto _test_eof; 
	_test_eof1664: cs = 1664; goto _test_eof; 
	_test_eof1665: cs = 1665; goto _test_eof; 
	_test_eof1666: cs = 1666; goto _test_eof; 
	_test_eof1667: cs = 1667; goto _test_eof; 
	_test_eof1668: cs = 1668; goto _test_eof; 
	_test_eof1669: cs = 1669; goto _test_eof; 
	_test_eof1670: cs = 1670; goto _test_eof; 
	_test_eof1671: cs = 1671; goto _test_eof; 
	_test_eof1672: cs = 1672; goto _test_eof; 
	_test_eof1673: cs = 1673; goto _test_eof; 
	_test_eof1674: cs = 1674; goto _test_eof; 
	_test_eof1675: cs = 1675; goto _test_eof; 
	_test_eof1676: cs = 1676; goto _test_eof; 
	_test_eof1677: cs = 1677; goto _test_eof; 
	_test_eof1678: cs = 1678; goto _test_eof; 
	_test_eof1679: cs = 1679; goto _test_eof; 
	_test_eof1680: cs = 1680; goto _test_eof; 
	_test_eof1681: cs = 1681; goto _test_eof; 
	_test_eof1682: cs = 1682; goto _test_eof; 
	_test_eof1683: cs = 1683; goto _test_eof; 
	_test_eof1684: cs = 1684; goto _test_eof; 
	_test_eof1685: cs = 1685; goto _test_eof; 
	_test_eof1686: cs = 1686; goto _test_eof; 
	_test_eof1687: cs = 1687; goto _test_eof; 
	_test_eof1688: cs = 1688; goto _test_eof; 
	_test_eof1689: cs = 1689; goto _test_eof; 
	_test_eof1690: cs = 1690; goto _test_eof; 
	_test_eof1691: cs = 1691; goto _test_eof; 
	_test_eof1692: cs = 1692; goto _test_eof; 
	_test_eof1693: cs = 1693; goto _test_eof; 
	_test_eof1694: cs = 1694; goto _test_eof; 
	_test_eof1695: cs = 1695; goto _test_eof; 
	_test_eof1696: cs = 1696; goto _test_eof; 
	_test_eof1697: cs = 1697; goto _test_eof; 
	_test_eof1698: cs = 1698; goto _test_eof; 
	_test_eof1699: cs = 1699; goto _test_eof; 
	_test_eof1700: cs = 1700; goto _test_eof; 
	_test_eof1701: cs = 1701; goto _test_eof; 
	_test_eof1702: cs = 1702; goto _test_eof; 
	_test_eof1703: cs = 1703; goto _test_eof; 
	_test_eof1704: cs = 1704; goto _test_eof; 
	_test_eof1705: cs = 1705; goto _test_eof; 
	_test_eof1706: cs = 1706; goto _test_eof; 
	_test_eof1707: cs = 1707; goto _test_eof; 
	_test_eof1708: cs = 1708; goto _test_eof; 
	_test_eof1709: cs = 1709; goto _test_eof; 
	_test_eof1710: cs = 1710; goto _test_eof; 
	_test_eof1711: cs = 1711; goto _test_eof; 
	_test_eof1712: cs = 1712; goto _test_eof; 
	_test_eof1713: cs = 1713; goto _test_eof; 
	_test_eof1714: cs = 1714; goto _test_eof; 
	_test_eof1715: cs = 1715; goto _test_eof; 
	_test_eof1716: cs = 1716; goto _test_eof; 
	_test_eof1717: cs = 1717; goto _test_eof; 
	_test_eof1718: cs = 1718; goto _test_eof; 
	_test_eof1719: cs = 1719; goto _test_eof; 
	_test_eof1720: cs = 1720; goto _test_eof; 
	_test_eof1721: cs = 1721; goto _test_eof; 
	_test_eof1722: cs = 1722; goto _test_eof; 
	_test_eof1723: cs = 1723; goto _test_eof; 
	_test_eof1724: cs = 1724; goto _test_eof; 
	_test_eof1725: cs = 1725; goto _test_eof; 
	_test_eof1726: cs = 1726; goto _test_eof; 
	_test_eof1727: cs = 1727; goto _test_eof; 
	_test_eof1728: cs = 1728; goto _test_eof; 
	_test_eof1729: cs = 1729; goto _test_eof; 
	_test_eof1730: cs = 1730; goto _test_eof; 
	_test_eof1731: cs = 1731; goto _test_eof; 
	_test_eof1732: cs = 1732; goto _test_eof; 
	_test_eof1733: cs = 1733; goto _test_eof; 
	_test_eof1734: cs = 1734; goto _test_eof; 
	_test_eof1735: cs = 1735; goto _test_eof; 
	_test_eof1736: cs = 1736; goto _test_eof; 
	_test_eof1737: cs = 1737; goto _test_eof; 
	_test_eof1738: cs = 1738; goto _test_eof; 
	_test_eof1739: cs = 1739; goto _test_eof; 
	_test_eof1740: cs = 1740; goto _test_eof; 
	_test_eof1741: cs = 1741; goto _test_eof; 
	_test_eof1742: cs = 1742; goto _test_eof; 
	_test_eof1743: cs = 1743; goto _test_eof; 
	_test_eof1744: cs = 1744; goto _test_eof; 
	_test_eof1745: cs = 1745; goto _test_eof; 
	_test_eof1746: cs = 1746; goto _test_eof; 
	_test_eof1747: cs = 1747; goto _test_eof; 
	_test_eof1748: cs = 1748; goto _test_eof; 
	_test_eof1749: cs = 1749; goto _test_eof; 
	_test_eof1750: cs = 1750; goto _test_eof; 
	_test_eof1751: cs = 1751; goto _test_eof; 
	_test_eof1752: cs = 1752; goto _test_eof; 
	_test_eof1753: cs = 1753; goto _test_eof; 
	_test_eof1754: cs = 1754; goto _test_eof; 
	_test_eof1755: cs = 1755; goto _test_eof; 
	_test_eof1756: cs = 1756; goto _test_eof; 
	_test_eof1757: cs = 1757; goto _test_eof; 
	_test_eof1758: cs = 1758; goto _test_eof; 
	_test_eof1759: cs = 1759; goto _test_eof; 
	_test_eof1760: cs = 1760; goto _test_eof; 
	_test_eof1761: cs = 1761; goto _test_eof; 
	_test_eof1762: cs = 1762; goto _test_eof; 
	_test_eof1763: cs = 1763; goto _test_eof; 
	_test_eof1764: cs = 1764; goto _test_eof; 
	_test_eof1765: cs = 1765; goto _test_eof; 
	_test_eof1766: cs = 1766; goto _test_eof; 
	_test_eof1767: cs = 1767; goto _test_eof; 
	_test_eof1768: cs = 1768; goto _test_eof; 
	_test_eof1769: cs = 1769; goto _test_eof; 
	_test_eof1770: cs = 1770; goto _test_eof; 
	_test_eof1771: cs = 1771; goto _test_eof; 
	_test_eof1772: cs = 1772; goto _test_eof; 
	_test_eof1773: cs = 1773; goto _test_eof; 
	_test_eof1774: cs = 1774; goto _test_eof; 
	_test_eof1775: cs = 1775; goto _test_eof; 
	_test_eof1776: cs = 1776; goto _test_eof; 
	_test_eof1777: cs = 1777; goto _test_eof; 
	_test_eof1778: cs = 1778; goto _test_eof; 
	_test_eof1779: cs = 1779; goto _test_eof; 
	_test_eof1780: cs = 1780; goto _test_eof; 
	_test_eof1781: cs = 1781; goto _test_eof; 
	_test_eof1782: cs = 1782; goto _test_eof; 
	_test_eof1783: cs = 1783; goto _test_eof; 
	_test_eof1784: cs = 1784; goto _test_eof; 
	_test_eof1785: cs = 1785; goto _test_eof; 
	_test_eof1786: cs = 1786; goto _test_eof; 
	_test_eof1787: cs = 1787; goto _test_eof; 
	_test_eof1788: cs = 1788; goto _test_eof; 
	_test_eof1789: cs = 1789; goto _test_eof; 
	_test_eof1790: cs = 1790; goto _test_eof; 
	_test_eof1791: cs = 1791; goto _test_eof; 
	_test_eof1792: cs = 1792; goto _test_eof; 
	_test_eof1793: cs = 1793; goto _test_eof; 
	_test_eof1794: cs = 1794; goto _test_eof; 
	_test_eof1795: cs = 1795; goto _test_eof; 
	_test_eof1796: cs = 1796; goto _test_eof; 
	_test_eof1797: cs = 1797; goto _test_eof; 
	_test_eof1798: cs = 1798; goto _test_eof; 
	_test_eof1799: cs = 1799; goto _test_eof; 
	_test_eof1800: cs = 1800; goto _test_eof; 
	_test_eof1801: cs = 1801; goto _test_eof; 
	_test_eof1802: cs = 1802; goto _test_eof; 
	_test_eof1803: cs = 1803; goto _test_eof; 
	_test_eof1804: cs = 1804; goto _test_eof; 
	_test_eof1805: cs = 1805; goto _test_eof; 
	_test_eof1806: cs = 1806; goto _test_eof; 
	_test_eof1807: cs = 1807; goto _test_eof; 
	_test_eof1808: cs = 1808; goto _test_eof; 
	_test_eof1809: cs = 1809; goto _test_eof; 
	_test_eof1810: cs = 1810; goto _test_eof; 
	_test_eof1811: cs = 1811; goto _test_eof; 
	_test_eof1812: cs = 1812; goto _test_eof; 
	_test_eof1813: cs = 1813; goto _test_eof; 
	_test_eof1814: cs = 1814; goto _test_eof; 
	_test_eof1815: cs = 1815; goto _test_eof; 
	_test_eof1816: cs = 1816; goto _test_eof; 
	_test_eof1817: cs = 1817; goto _test_eof; 
	_test_eof1818: cs = 1818; goto _test_eof; 
	_test_eof1819: cs = 1819; goto _test_eof; 
	_test_eof1820: cs = 1820; goto _test_eof; 
	_test_eof1821: cs = 1821; goto _test_eof; 
	_test_eof1822: cs = 1822; goto _test_eof; 
	_test_eof1823: cs = 1823; goto _test_eof; 
	_test_eof1824: cs = 1824; goto _test_eof; 
	_test_eof1825: cs = 1825; goto _test_eof; 
	_test_eof1826: cs = 1826; goto _test_eof; 
	_test_eof1827: cs = 1827; goto _test_eof; 
	_test_eof1828: cs = 1828; goto _test_eof; 
	_test_eof1829: cs = 1829; goto _test_eof; 
	_test_eof1830: cs = 1830; goto _test_eof; 
	_test_eof1831: cs = 1831; goto _test_eof; 
	_test_eof1832: cs = 1832; goto _test_eof; 
	_test_eof1833: cs = 1833; goto _test_eof; 
	_test_eof1834: cs = 1834; goto _test_eof; 
	_test_eof1835: cs = 1835; goto _test_eof; 
	_test_eof1836: cs = 1836; goto _test_eof; 
	_test_eof1837: cs = 1837; goto _test_eof; 
	_test_eof1838: cs = 1838; goto _test_eof; 
	_test_eof1839: cs = 1839; goto _test_eof; 
	_test_eof1840: cs = 1840; goto _test_eof; 
	_test_eof1841: cs = 1841; goto _test_eof; 
	_test_eof1842: cs = 1842; goto _test_eof; 
	_test_eof1843: cs = 1843; goto _test_eof; 
	_test_eof1844: cs = 1844; goto _test_eof; 
	_test_eof1845: cs = 1845; goto _test_eof; 
	_test_eof1846: cs = 1846; goto _test_eof; 
	_test_eof1847: cs = 1847; goto _test_eof; 
	_test_eof1848: cs = 1848; goto _test_eof; 
	_test_eof1849: cs = 1849; goto _test_eof; 
	_test_eof1850: cs = 1850; goto _test_eof; 
	_test_eof1851: cs = 1851; goto _test_eof; 
	_test_eof1852: cs = 1852; goto _test_eof; 
	_test_eof1853: cs = 1853; goto _test_eof; 
	_test_eof1854: cs = 1854; goto _test_eof; 
	_test_eof1855: cs = 1855; goto _test_eof; 
	_test_eof1856: cs = 1856; goto _test_eof; 
	_test_eof1857: cs = 1857; goto _test_eof; 
	_test_eof1858: cs = 1858; goto _test_eof; 
	_test_eof1859: cs = 1859; goto _test_eof; 
	_test_eof1860: cs = 1860; goto _test_eof; 
	_test_eof1861: cs = 1861; goto _test_eof; 
	_test_eof1862: cs = 1862; goto _test_eof; 
	_test_eof1863: cs = 1863; goto _test_eof; 
	_test_eof1864: cs = 1864; goto _test_eof; 
	_test_eof1865: cs = 1865; goto _test_eof; 
	_test_eof1866: cs = 1866; goto _test_eof; 
	_test_eof1867: cs = 1867; goto _test_eof; 
	_test_eof1868: cs = 1868; goto _test_eof; 
	_test_eof1869: cs = 1869; goto _test_eof; 
	_test_eof1870: cs = 1870; goto _test_eof; 
	_test_eof1871: cs = 1871; goto _test_eof; 
	_test_eof1872: cs = 1872; goto _test_eof; 
	_test_eof1873: cs = 1873; goto _test_eof; 
	_test_eof1874: cs = 1874; goto _test_eof; 
	_test_eof1875: cs = 1875; goto _test_eof; 
	_test_eof1876: cs = 1876; goto _test_eof; 
	_test_eof1877: cs = 1877; goto _test_eof; 
	_test_eof1878: cs = 1878; goto _test_eof; 
	_test_eof1879: cs = 1879; goto _test_eof; 
	_test_eof1880: cs = 1880; goto _test_eof; 
	_test_eof1881: cs = 1881; goto _test_eof; 
	_test_eof1882: cs = 1882; goto _test_eof; 
	_test_eof1883: cs = 1883; goto _test_eof; 
	_test_eof1884: cs = 1884; goto _test_eof; 
	_test_eof1885: cs = 1885; goto _test_eof; 
	_test_eof1886: cs = 1886; goto _test_eof; 
	_test_eof1887: cs = 1887; goto _test_eof; 
	_test_eof1888: cs = 1888; goto _test_eof; 
	_test_eof1889: cs = 1889; goto _test_eof; 
	_test_eof1890: cs = 1890; goto _test_eof; 
	_test_eof1891: cs = 1891; goto _test_eof; 
	_test_eof1892: cs = 1892; goto _test_eof; 
	_test_eof1893: cs = 1893; goto _test_eof; 
	_test_eof1894: cs = 1894; goto _test_eof; 
	_test_eof1895: cs = 1895; goto _test_eof; 
	_test_eof1896: cs = 1896; goto _test_eof; 
	_test_eof1897: cs = 1897; goto _test_eof; 
	_test_eof1898: cs = 1898; goto _test_eof; 
	_test_eof1899: cs = 1899; goto _test_eof; 
	_test_eof1900: cs = 1900; goto _test_eof; 
	_test_eof1901: cs = 1901; goto _test_eof; 
	_test_eof1902: cs = 1902; goto _test_eof; 
	_test_eof1903: cs = 1903; goto _test_eof; 
	_test_eof1904: cs = 1904; goto _test_eof; 
	_test_eof1905: cs = 1905; goto _test_eof; 
	_test_eof1906: cs = 1906; goto _test_eof; 
	_test_eof1907: cs = 1907; goto _test_eof; 
	_test_eof1908: cs = 1908; goto _test_eof; 
	_test_eof1909: cs = 1909; goto _test_eof; 
	_test_eof1910: cs = 1910; goto _test_eof; 
	_test_eof1911: cs = 1911; goto _test_eof; 
	_test_eof1912: cs = 1912; goto _test_eof; 
	_test_eof1913: cs = 1913; goto _test_eof; 
	_test_eof1914: cs = 1914; goto _test_eof; 
	_test_eof1915: cs = 1915; goto _test_eof; 
	_test_eof1916: cs = 1916; goto _test_eof; 
	_test_eof1917: cs = 1917; goto _test_eof; 
	_test_eof1918: cs = 1918; goto _test_eof; 
	_test_eof1919: cs = 1919; goto _test_eof; 
	_test_eof1920: cs = 1920; goto _test_eof; 
	_test_eof1921: cs = 1921; goto _test_eof; 
	_test_eof1922: cs = 1922; goto _test_eof; 
	_test_eof1923: cs = 1923; goto _test_eof; 
	_test_eof1924: cs = 1924; goto _test_eof; 
	_test_eof1925: cs = 1925; goto _test_eof; 
	_test_eof1926: cs = 1926; goto _test_eof; 
	_test_eof1927: cs = 1927; goto _test_eof; 
	_test_eof1928: cs = 1928; goto _test_eof; 
	_test_eof1929: cs = 1929; goto _test_eof; 
	_test_eof1930: cs = 1930; goto _test_eof; 
	_test_eof1931: cs = 1931; goto _test_eof; 
	_test_eof1932: cs = 1932; goto _test_eof; 
	_test_eof1933: cs = 1933; goto _test_eof; 
	_test_eof1934: cs = 1934; goto _test_eof; 
	_test_eof1935: cs = 1935; goto _test_eof; 
	_test_eof1936: cs = 1936; goto _test_eof; 
	_test_eof1937: cs = 1937; goto _test_eof; 
	_test_eof1938: cs = 1938; goto _test_eof; 
	_test_eof1939: cs = 1939; goto _test_eof; 
	_test_eof1940: cs = 1940; goto _test_eof; 
	_test_eof1941: cs = 1941; goto _test_eof; 
	_test_eof1942: cs = 1942; goto _test_eof; 
	_test_eof1943: cs = 1943; goto _test_eof; 
	_test_eof1944: cs = 1944; goto _test_eof; 
	_test_eof1945: cs = 1945; goto _test_eof; 
	_test_eof1946: cs = 1946; goto _test_eof; 
	_test_eof1947: cs = 1947; goto _test_eof; 
	_test_eof1948: cs = 1948; goto _test_eof; 
	_test_eof1949: cs = 1949; goto _test_eof; 
	_test_eof1950: cs = 1950; goto _test_eof; 
	_test_eof1951: cs = 1951; goto _test_eof; 
	_test_eof1952: cs = 1952; goto _test_eof; 
	_test_eof1953: cs = 1953; goto _test_eof; 
	_test_eof1954: cs = 1954; goto _test_eof; 
	_test_eof1955: cs = 1955; goto _test_eof; 
	_test_eof1956: cs = 1956; goto _test_eof; 
	_test_eof1957: cs = 1957; goto _test_eof; 
	_test_eof1958: cs = 1958; goto _test_eof; 
	_test_eof1959: cs = 1959; goto _test_eof; 
	_test_eof1960: cs = 1960; goto _test_eof; 
	_test_eof1961: cs = 1961; goto _test_eof; 
	_test_eof1962: cs = 1962; goto _test_eof; 
	_test_eof1963: cs = 1963; goto _test_eof; 
	_test_eof1964: cs = 1964; goto _test_eof; 
	_test_eof1965: cs = 1965; goto _test_eof; 
	_test_eof1966: cs = 1966; goto _test_eof; 
	_test_eof1967: cs = 1967; goto _test_eof; 
	_test_eof1968: cs = 1968; goto _test_eof; 
	_test_eof1969: cs = 1969; goto _test_eof; 
	_test_eof1970: cs = 1970; goto _test_eof; 
	_test_eof1971: cs = 1971; goto _test_eof; 
	_test_eof1972: cs = 1972; goto _test_eof; 
	_test_eof1973: cs = 1973; goto _test_eof; 
	_test_eof1974: cs = 1974; goto _test_eof; 
	_test_eof1975: cs = 1975; goto _test_eof; 
	_test_eof1976: cs = 1976; goto _test_eof; 
	_test_eof1977: cs = 1977; goto _test_eof; 
	_test_eof1978: cs = 1978; goto _test_eof; 
	_test_eof1979: cs = 1979; goto _test_eof; 
	_test_eof1980: cs = 1980; goto _test_eof; 
	_test_eof1981: cs = 1981; goto _test_eof; 
	_test_eof1982: cs = 1982; goto _test_eof; 
	_test_eof1983: cs = 1983; goto _test_eof; 
	_test_eof1984: cs = 1984; goto _test_eof; 
	_test_eof1985: cs = 1985; goto _test_eof; 
	_test_eof1986: cs = 1986; goto _test_eof; 
	_test_eof1987: cs = 1987; goto _test_eof; 
	_test_eof1988: cs = 1988; goto _test_eof; 
	_test_eof1989: cs = 1989; goto _test_eof; 
	_test_eof1990: cs = 1990; goto _test_eof; 
	_test_eof1991: cs = 1991; goto _test_eof; 
	_test_eof1992: cs = 1992; goto _test_eof; 
	_test_eof1993: cs = 1993; goto _test_eof; 
	_test_eof1994: cs = 1994; goto _test_eof; 
	_test_eof1995: cs = 1995; goto _test_eof; 
	_test_eof1996: cs = 1996; goto _test_eof; 
	_test_eof1997: cs = 1997; goto _test_eof; 
	_test_eof1998: cs = 1998; goto _test_eof; 
	_test_eof1999: cs = 1999; goto _test_eof; 
	_test_eof2000: cs = 2000; goto _test_eof; 
	_test_eof2001: cs = 2001; goto _test_eof; 
	_test_eof2002: cs = 2002; goto _test_eof; 
	_test_eof2003: cs = 2003; goto _test_eof; 
	_test_eof2004: cs = 2004; goto _test_eof; 
	_test_eof2005: cs = 2005; goto _test_eof; 
	_test_eof2006: cs = 2006; goto _test_eof; 
	_test_eof2007: cs = 2007; goto _test_eof; 
	_test_eof2008: cs = 2008; goto _test_eof; 
	_test_eof2009: cs = 2009; goto _test_eof; 
	_test_eof2010: cs = 2010; goto _test_eof; 
	_test_eof2011: cs = 2011; goto _test_eof; 
	_test_eof2012: cs = 2012; goto _test_eof; 
	_test_eof2013: cs = 2013; goto _test_eof; 
	_test_eof2014: cs = 2014; goto _test_eof; 
	_test_eof2015: cs = 2015; goto _test_eof; 
	_test_eof2016: cs = 2016; goto _test_eof; 
	_test_eof2017: cs = 2017; goto _test_eof; 
	_test_eof2018: cs = 2018; goto _test_eof; 
	_test_eof2019: cs = 2019; goto _test_eof; 
	_test_eof2020: cs = 2020; goto _test_eof; 
	_test_eof2021: cs = 2021; goto _test_eof; 
	_test_eof2022: cs = 2022; goto _test_eof; 
	_test_eof2023: cs = 2023; goto _test_eof; 
	_test_eof2024: cs = 2024; goto _test_eof; 
	_test_eof2025: cs = 2025; goto _test_eof; 
	_test_eof2026: cs = 2026; goto _test_eof; 
	_test_eof2027: cs = 2027; goto _test_eof; 
	_test_eof2028: cs = 2028; goto _test_eof; 
	_test_eof2029: cs = 2029; goto _test_eof; 
	_test_eof2030: cs = 2030; goto _test_eof; 
	_test_eof2031: cs = 2031; goto _test_eof; 
	_test_eof2032: cs = 2032; goto _test_eof; 
	_test_eof2033: cs = 2033; goto _test_eof; 
	_test_eof2034: cs = 2034; goto _test_eof; 
	_test_eof2035: cs = 2035; goto _test_eof; 
	_test_eof2036: cs = 2036; goto _test_eof; 
	_test_eof2037: cs = 2037; goto _test_eof; 
	_test_eof2038: cs = 2038; goto _test_eof; 
	_test_eof2039: cs = 2039; goto _test_eof; 
	_test_eof2040: cs = 2040; goto _test_eof; 
	_test_eof2041: cs = 2041; goto _test_eof; 
	_test_eof2042: cs = 2042; goto _test_eof; 
	_test_eof2043: cs = 2043; goto _test_eof; 
	_test_eof2044: cs = 2044; goto _test_eof; 
	_test_eof2045: cs = 2045; goto _test_eof; 
	_test_eof2046: cs = 2046; goto _test_eof; 
	_test_eof2047: cs = 2047; goto _test_eof; 
	_test_eof2048: cs = 2048; goto _test_eof; 
	_test_eof2049: cs = 2049; goto _test_eof; 
	_test_eof2050: cs = 2050; goto _test_eof; 
	_test_eof2051: cs = 2051; goto _test_eof; 
	_test_eof2052: cs = 2052; goto _test_eof; 
	_test_eof2053: cs = 2053; goto _test_eof; 
	_test_eof2054: cs = 2054; goto _test_eof; 
	_test_eof2055: cs = 2055; goto _test_eof; 
	_test_eof2056: cs = 2056; goto _test_eof; 
	_test_eof2057: cs = 2057; goto _test_eof; 
	_test_eof2058: cs = 2058; goto _test_eof; 
	_test_eof2059: cs = 2059; goto _test_eof; 
	_test_eof2060: cs = 2060; goto _test_eof; 
	_test_eof2061: cs = 2061; goto _test_eof; 
	_test_eof2062: cs = 2062; goto _test_eof; 
	_test_eof2063: cs = 2063; goto _test_eof; 
	_test_eof2064: cs = 2064; goto _test_eof; 
	_test_eof2065: cs = 2065; goto _test_eof; 
	_test_eof2066: cs = 2066; goto _test_eof; 
	_test_eof2067: cs = 2067; goto _test_eof; 
	_test_eof2068: cs = 2068; goto _test_eof; 
	_test_eof2069: cs = 2069; goto _test_eof; 
	_test_eof2070: cs = 2070; goto _test_eof; 
	_test_eof2071: cs = 2071; goto _test_eof; 
	_test_eof2072: cs = 2072; goto _test_eof; 
	_test_eof2073: cs = 2073; goto _test_eof; 
	_test_eof2074: cs = 2074; goto _test_eof; 
	_test_eof2075: cs = 2075; goto _test_eof; 
	_test_eof2076: cs = 2076; goto _test_eof; 
	_test_eof2077: cs = 2077; goto _test_eof; 
	_test_eof2078: cs = 2078; goto _test_eof; 
	_test_eof2079: cs = 2079; goto _test_eof; 
	_test_eof2080: cs = 2080; goto _test_eof; 
	_test_eof2081: cs = 2081; goto _test_eof; 
	_test_eof2082: cs = 2082; goto _test_eof; 
	_test_eof2083: cs = 2083; goto _test_eof; 
	_test_eof2084: cs = 2084; goto _test_eof; 
	_test_eof2085: cs = 2085; goto _test_eof; 
	_test_eof2086: cs = 2086; goto _test_eof; 
	_test_eof2087: cs = 2087; goto _test_eof; 
	_test_eof2088: cs = 2088; goto _test_eof; 
	_test_eof2089: cs = 2089; goto _test_eof; 
	_test_eof2090: cs = 2090; goto _test_eof; 
	_test_eof2091: cs = 2091; goto _test_eof; 
	_test_eof2092: cs = 2092; goto _test_eof; 
	_test_eof2093: cs = 2093; goto _test_eof; 
	_test_eof2094: cs = 2094; goto _test_eof; 
	_test_eof2095: cs = 2095; goto _test_eof; 
	_test_eof2096: cs = 2096; goto _test_eof; 
	_test_eof2097: cs = 2097; goto _test_eof; 
	_test_eof2098: cs = 2098; goto _test_eof; 
	_test_eof2099: cs = 2099; goto _test_eof; 
	_test_eof2100: cs = 2100; goto _test_eof; 
	_test_eof2101: cs = 2101; goto _test_eof; 
	_test_eof2102: cs = 2102; goto _test_eof; 
	_test_eof2103: cs = 2103; goto _test_eof; 
	_test_eof2104: cs = 2104; goto _test_eof; 
	_test_eof2105: cs = 2105; goto _test_eof; 
	_test_eof2106: cs = 2106; goto _test_eof; 
	_test_eof2107: cs = 2107; goto _test_eof; 
	_test_eof2108: cs = 2108; goto _test_eof; 
	_test_eof2109: cs = 2109; goto _test_eof; 
	_test_eof2110: cs = 2110; goto _test_eof; 
	_test_eof2111: cs = 2111; goto _test_eof; 
	_test_eof2112: cs = 2112; goto _test_eof; 
	_test_eof2113: cs = 2113; goto _test_eof; 
	_test_eof2114: cs = 2114; goto _test_eof; 
	_test_eof2115: cs = 2115; goto _test_eof; 
	_test_eof2116: cs = 2116; goto _test_eof; 
	_test_eof2117: cs = 2117; goto _test_eof; 
	_test_eof2118: cs = 2118; goto _test_eof; 
	_test_eof2119: cs = 2119; goto _test_eof; 
	_test_eof2120: cs = 2120; goto _test_eof; 
	_test_eof2121: cs = 2121; goto _test_eof; 
	_test_eof2122: cs = 2122; goto _test_eof; 
	_test_eof2123: cs = 2123; goto _test_eof; 
	_test_eof2124: cs = 2124; goto _test_eof; 
	_test_eof2125: cs = 2125; goto _test_eof; 
	_test_eof2126: cs = 2126; goto _test_eof; 
	_test_eof2127: cs = 2127; goto _test_eof; 
	_test_eof2128: cs = 2128; goto _test_eof; 
	_test_eof2129: cs = 2129; goto _test_eof; 
	_test_eof2130: cs = 2130; goto _test_eof; 
	_test_eof2131: cs = 2131; goto _test_eof; 
	_test_eof2132: cs = 2132; goto _test_eof; 
	_test_eof2133: cs = 2133; goto _test_eof; 
	_test_eof2134: cs = 2134; goto _test_eof; 
	_test_eof2135: cs = 2135; goto _test_eof; 
	_test_eof2136: cs = 2136; goto _test_eof; 
	_test_eof2137: cs = 2137; goto _test_eof; 
	_test_eof2138: cs = 2138; goto _test_eof; 
	_test_eof2139: cs = 2139; goto _test_eof; 
	_test_eof2140: cs = 2140; goto _test_eof; 
	_test_eof2141: cs = 2141; goto _test_eof; 
	_test_eof2142: cs = 2142; goto _test_eof; 
	_test_eof2143: cs = 2143; goto _test_eof; 
	_test_eof2144: cs = 2144; goto _test_eof; 
	_test_eof2145: cs = 2145; goto _test_eof; 
	_test_eof2146: cs = 2146; goto _test_eof; 
	_test_eof2147: cs = 2147; goto _test_eof; 
	_test_eof2148: cs = 2148; goto _test_eof; 
	_test_eof2149: cs = 2149; goto _test_eof; 
	_test_eof2150: cs = 2150; goto _test_eof; 
	_test_eof2151: cs = 2151; goto _test_eof; 
	_test_eof2152: cs = 2152; goto _test_eof; 
	_test_eof2153: cs = 2153; goto _test_eof; 
	_test_eof2154: cs = 2154; goto _test_eof; 
	_test_eof2155: cs = 2155; goto _test_eof; 
	_test_eof2156: cs = 2156; goto _test_eof; 
	_test_eof2157: cs = 2157; goto _test_eof; 
	_test_eof2158: cs = 2158; goto _test_eof; 
	_test_eof2159: cs = 2159; goto _test_eof; 
	_test_eof2160: cs = 2160; goto _test_eof; 
	_test_eof2161: cs = 2161; goto _test_eof; 
	_test_eof2162: cs = 2162; goto _test_eof; 
	_test_eof2163: cs = 2163; goto _test_eof; 
	_test_eof2164: cs = 2164; goto _test_eof; 
	_test_eof2165: cs = 2165; goto _test_eof; 
	_test_eof2166: cs = 2166; goto _test_eof; 
	_test_eof2167: cs = 2167; goto _test_eof; 
	_test_eof2168: cs = 2168; goto _test_eof; 
	_test_eof2169: cs = 2169; goto _test_eof; 
	_test_eof2170: cs = 2170; goto _test_eof; 
	_test_eof2171: cs = 2171; goto _test_eof; 
	_test_eof2172: cs = 2172; goto _test_eof; 
	_test_eof2173: cs = 2173; goto _test_eof; 
	_test_eof2174: cs = 2174; goto _test_eof; 
	_test_eof2175: cs = 2175; goto _test_eof; 
	_test_eof2176: cs = 2176; goto _test_eof; 
	_test_eof2177: cs = 2177; goto _test_eof; 
	_test_eof2178: cs = 2178; goto _test_eof; 
	_test_eof2179: cs = 2179; goto _test_eof; 
	_test_eof2180: cs = 2180; goto _test_eof; 
	_test_eof2181: cs = 2181; goto _test_eof; 
	_test_eof2182: cs = 2182; goto _test_eof; 
	_test_eof2183: cs = 2183; goto _test_eof; 
	_test_eof2184: cs = 2184; goto _test_eof; 
	_test_eof2185: cs = 2185; goto _test_eof; 
	_test_eof2186: cs = 2186; goto _test_eof; 
	_test_eof2187: cs = 2187; goto _test_eof; 
	_test_eof2188: cs = 2188; goto _test_eof; 
	_test_eof2189: cs = 2189; goto _test_eof; 
	_test_eof2190: cs = 2190; goto _test_eof; 
	_test_eof2191: cs = 2191; goto _test_eof; 
	_test_eof2192: cs = 2192; goto _test_eof; 
	_test_eof2193: cs = 2193; goto _test_eof; 
	_test_eof2194: cs = 2194; goto _test_eof; 
	_test_eof2195: cs = 2195; goto _test_eof; 
	_test_eof2196: cs = 2196; goto _test_eof; 
	_test_eof2197: cs = 2197; goto _test_eof; 
	_test_eof2198: cs = 2198; goto _test_eof; 
	_test_eof2199: cs = 2199; goto _test_eof; 
	_test_eof2200: cs = 2200; goto _test_eof; 
	_test_eof2201: cs = 2201; goto _test_eof; 
	_test_eof2202: cs = 2202; goto _test_eof; 
	_test_eof2203: cs = 2203; goto _test_eof; 
	_test_eof2204: cs = 2204; goto _test_eof; 
	_test_eof2205: cs = 2205; goto _test_eof; 
	_test_eof2206: cs = 2206; goto _test_eof; 
	_test_eof2207: cs = 2207; goto _test_eof; 
	_test_eof2208: cs = 2208; goto _test_eof; 
	_test_eof2209: cs = 2209; goto _test_eof; 
	_test_eof2210: cs = 2210; goto _test_eof; 
	_test_eof2211: cs = 2211; goto _test_eof; 
	_test_eof2212: cs = 2212; goto _test_eof; 
	_test_eof2213: cs = 2213; goto _test_eof; 
	_test_eof2214: cs = 2214; goto _test_eof; 
	_test_eof2215: cs = 2215; goto _test_eof; 
	_test_eof2216: cs = 2216; goto _test_eof; 
	_test_eof2217: cs = 2217; goto _test_eof; 
	_test_eof2218: cs = 2218; goto _test_eof; 
	_test_eof2219: cs = 2219; goto _test_eof; 
	_test_eof2220: cs = 2220; goto _test_eof; 
	_test_eof2221: cs = 2221; goto _test_eof; 
	_test_eof2222: cs = 2222; goto _test_eof; 
	_test_eof2223: cs = 2223; goto _test_eof; 
	_test_eof2224: cs = 2224; goto _test_eof; 
	_test_eof2225: cs = 2225; goto _test_eof; 
	_test_eof2226: cs = 2226; goto _test_eof; 
	_test_eof2227: cs = 2227; goto _test_eof; 
	_test_eof2228: cs = 2228; goto _test_eof; 
	_test_eof2229: cs = 2229; goto _test_eof; 
	_test_eof2230: cs = 2230; goto _test_eof; 
	_test_eof2231: cs = 2231; goto _test_eof; 
	_test_eof2232: cs = 2232; goto _test_eof; 
	_test_eof2233: cs = 2233; goto _test_eof; 
	_test_eof2234: cs = 2234; goto _test_eof; 
	_test_eof2235: cs = 2235; goto _test_eof; 
	_test_eof2236: cs = 2236; goto _test_eof; 
	_test_eof2237: cs = 2237; goto _test_eof; 
	_test_eof2238: cs = 2238; goto _test_eof; 
	_test_eof2239: cs = 2239; goto _test_eof; 
	_test_eof2240: cs = 2240; goto _test_eof; 
	_test_eof2241: cs = 2241; goto _test_eof; 
	_test_eof2242: cs = 2242; goto _test_eof; 
	_test_eof2243: cs = 2243; goto _test_eof; 
	_test_eof2244: cs = 2244; goto _test_eof; 
	_test_eof2245: cs = 2245; goto _test_eof; 
	_test_eof2246: cs = 2246; goto _test_eof; 
	_test_eof2247: cs = 2247; goto _test_eof; 
	_test_eof2248: cs = 2248; goto _test_eof; 
	_test_eof2249: cs = 2249; goto _test_eof; 
	_test_eof2250: cs = 2250; goto _test_eof; 
	_test_eof2251: cs = 2251; goto _test_eof; 
	_test_eof2252: cs = 2252; goto _test_eof; 
	_test_eof2253: cs = 2253; goto _test_eof; 
	_test_eof2254: cs = 2254; goto _test_eof; 
	_test_eof2255: cs = 2255; goto _test_eof; 
	_test_eof2256: cs = 2256; goto _test_eof; 
	_test_eof2257: cs = 2257; goto _test_eof; 
	_test_eof2258: cs = 2258; goto _test_eof; 
	_test_eof2259: cs = 2259; goto _test_eof; 
	_test_eof2260: cs = 2260; goto _test_eof; 
	_test_eof2261: cs = 2261; goto _test_eof; 
	_test_eof2262: cs = 2262; goto _test_eof; 
	_test_eof2263: cs = 2263; goto _test_eof; 
	_test_eof2264: cs = 2264; goto _test_eof; 
	_test_eof2265: cs = 2265; goto _test_eof; 
	_test_eof2266: cs = 2266; goto _test_eof; 
	_test_eof2267: cs = 2267; goto _test_eof; 
	_test_eof2268: cs = 2268; goto _test_eof; 
	_test_eof2269: cs = 2269; goto _test_eof; 
	_test_eof2270: cs = 2270; goto _test_eof; 
	_test_eof2271: cs = 2271; goto _test_eof; 
	_test_eof2272: cs = 2272; goto _test_eof; 
	_test_eof2273: cs = 2273; goto _test_eof; 
	_test_eof2274: cs = 2274; goto _test_eof; 
	_test_eof2275: cs = 2275; goto _test_eof; 
	_test_eof2276: cs = 2276; goto _test_eof; 
	_test_eof2277: cs = 2277; goto _test_eof; 
	_test_eof2278: cs = 2278; goto _test_eof; 
	_test_eof2279: cs = 2279; goto _test_eof; 
	_test_eof2280: cs = 2280; goto _test_eof; 
	_test_eof2281: cs = 2281; goto _test_eof; 
	_test_eof2282: cs = 2282; goto _test_eof; 
	_test_eof2283: cs = 2283; goto _test_eof; 
	_test_eof2284: cs = 2284; goto _test_eof; 
	_test_eof2285: cs = 2285; goto _test_eof; 
	_test_eof2286: cs = 2286; goto _test_eof; 
	_test_eof2287: cs = 2287; goto _test_eof; 
	_test_eof2288: cs = 2288; goto _test_eof; 
	_test_eof2289: cs = 2289; goto _test_eof; 
	_test_eof2290: cs = 2290; goto _test_eof; 
	_test_eof2291: cs = 2291; goto _test_eof; 
	_test_eof2292: cs = 2292; goto _test_eof; 
	_test_eof2293: cs = 2293; goto _test_eof; 
	_test_eof2294: cs = 2294; goto _test_eof; 
	_test_eof2295: cs = 2295; goto _test_eof; 
	_test_eof2296: cs = 2296; goto _test_eof; 
	_test_eof2297: cs = 2297; goto _test_eof; 
	_test_eof2298: cs = 2298; goto _test_eof; 
	_test_eof2299: cs = 2299; goto _test_eof; 
	_test_eof2300: cs = 2300; goto _test_eof; 
	_test_eof2301: cs = 2301; goto _test_eof; 
	_test_eof2302: cs = 2302; goto _test_eof; 
	_test_eof2303: cs = 2303; goto _test_eof; 
	_test_eof2304: cs = 2304; goto _test_eof; 
	_test_eof2305: cs = 2305; goto _test_eof; 
	_test_eof2306: cs = 2306; goto _test_eof; 
	_test_eof2307: cs = 2307; goto _test_eof; 
	_test_eof2308: cs = 2308; goto _test_eof; 
	_test_eof2309: cs = 2309; goto _test_eof; 
	_test_eof2310: cs = 2310; goto _test_eof; 
	_test_eof2311: cs = 2311; goto _test_eof; 
	_test_eof2312: cs = 2312; goto _test_eof; 
	_test_eof2313: cs = 2313; goto _test_eof; 
	_test_eof2314: cs = 2314; goto _test_eof; 
	_test_eof2315: cs = 2315; goto _test_eof; 
	_test_eof2316: cs = 2316; goto _test_eof; 
	_test_eof2317: cs = 2317; goto _test_eof; 
	_test_eof2318: cs = 2318; goto _test_eof; 
	_test_eof2319: cs = 2319; goto _test_eof; 
	_test_eof2320: cs = 2320; goto _test_eof; 
	_test_eof2321: cs = 2321; goto _test_eof; 
	_test_eof2322: cs = 2322; goto _test_eof; 
	_test_eof2323: cs = 2323; goto _test_eof; 
	_test_eof2324: cs = 2324; goto _test_eof; 
	_test_eof2325: cs = 2325; goto _test_eof; 
	_test_eof2326: cs = 2326; goto _test_eof; 
	_test_eof2327: cs = 2327; goto _test_eof; 
	_test_eof2328: cs = 2328; goto _test_eof; 
	_test_eof2329: cs = 2329; goto _test_eof; 
	_test_eof2330: cs = 2330; goto _test_eof; 
	_test_eof2331: cs = 2331; goto _test_eof; 
	_test_eof2332: cs = 2332; goto _test_eof; 
	_test_eof2333: cs = 2333; goto _test_eof; 
	_test_eof2334: cs = 2334; goto _test_eof; 
	_test_eof2335: cs = 2335; goto _test_eof; 
	_test_eof2336: cs = 2336; goto _test_eof; 
	_test_eof2337: cs = 2337; goto _test_eof; 
	_test_eof2338: cs = 2338; goto _test_eof; 
	_test_eof2339: cs = 2339; goto _test_eof; 
	_test_eof2340: cs = 2340; goto _test_eof; 
	_test_eof2341: cs = 2341; goto _test_eof; 
	_test_eof2342: cs = 2342; goto _test_eof; 
	_test_eof2343: cs = 2343; goto _test_eof; 
	_test_eof2344: cs = 2344; goto _test_eof; 
	_test_eof2345: cs = 2345; goto _test_eof; 
	_test_eof2346: cs = 2346; goto _test_eof; 
	_test_eof2347: cs = 2347; goto _test_eof; 
	_test_eof2348: cs = 2348; goto _test_eof; 
	_test_eof2349: cs = 2349; goto _test_eof; 
	_test_eof2350: cs = 2350; goto _test_eof; 
	_test_eof2351: cs = 2351; goto _test_eof; 
	_test_eof2352: cs = 2352; goto _test_eof; 
	_test_eof2353: cs = 2353; goto _test_eof; 
	_test_eof2354: cs = 2354; goto _test_eof; 
	_test_eof2355: cs = 2355; goto _test_eof; 
	_test_eof2356: cs = 2356; goto _test_eof; 
	_test_eof2357: cs = 2357; goto _test_eof; 
	_test_eof2358: cs = 2358; goto _test_eof; 
	_test_eof2359: cs = 2359; goto _test_eof; 
	_test_eof2360: cs = 2360; goto _test_eof; 
	_test_eof2361: cs = 2361; goto _test_eof; 
	_test_eof2362: cs = 2362; goto _test_eof; 
	_test_eof2363: cs = 2363; goto _test_eof; 
	_test_eof2364: cs = 2364; goto _test_eof; 
	_test_eof2365: cs = 2365; goto _test_eof; 
	_test_eof2366: cs = 2366; goto _test_eof; 
	_test_eof2367: cs = 2367; goto _test_eof; 
	_test_eof2368: cs = 2368; goto _test_eof; 
	_test_eof2369: cs = 2369; goto _test_eof; 
	_test_eof2370: cs = 2370; goto _test_eof; 
	_test_eof2371: cs = 2371; goto _test_eof; 
	_test_eof2372: cs = 2372; goto _test_eof; 
	_test_eof2373: cs = 2373; goto _test_eof; 
	_test_eof2374: cs = 2374; goto _test_eof; 
	_test_eof2375: cs = 2375; goto _test_eof; 
	_test_eof2376: cs = 2376; goto _test_eof; 
	_test_eof2377: cs = 2377; goto _test_eof; 
	_test_eof2378: cs = 2378; goto _test_eof; 
	_test_eof2379: cs = 2379; goto _test_eof; 
	_test_eof2380: cs = 2380; goto _test_eof; 
	_test_eof2381: cs = 2381; goto _test_eof; 
	_test_eof2382: cs = 2382; goto _test_eof; 
	_test_eof2383: cs = 2383; goto _test_eof; 
	_test_eof2384: cs = 2384; goto _test_eof; 
	_test_eof2385: cs = 2385; goto _test_eof; 
	_test_eof2386: cs = 2386; goto _test_eof; 
	_test_eof2387: cs = 2387; goto _test_eof; 
	_test_eof2388: cs = 2388; goto _test_eof; 
	_test_eof2389: cs = 2389; goto _test_eof; 
	_test_eof2390: cs = 2390; goto _test_eof; 
	_test_eof2391: cs = 2391; goto _test_eof; 
	_test_eof2392: cs = 2392; goto _test_eof; 
	_test_eof2393: cs = 2393; goto _test_eof; 
	_test_eof2394: cs = 2394; goto _test_eof; 
	_test_eof2395: cs = 2395; goto _test_eof; 
	_test_eof2396: cs = 2396; goto _test_eof; 
	_test_eof2397: cs = 2397; goto _test_eof; 
	_test_eof2398: cs = 2398; goto _test_eof; 
	_test_eof2399: cs = 2399; goto _test_eof; 
	_test_eof2400: cs = 2400; goto _test_eof; 
	_test_eof2401: cs = 2401; goto _test_eof; 
	_test_eof2402: cs = 2402; goto _test_eof; 
	_test_eof2403: cs = 2403; goto _test_eof; 
	_test_eof2404: cs = 2404; goto _test_eof; 
	_test_eof2405: cs = 2405; goto _test_eof; 
	_test_eof2406: cs = 2406; goto _test_eof; 
	_test_eof2407: cs = 2407; goto _test_eof; 
	_test_eof2408: cs = 2408; goto _test_eof; 
	_test_eof2409: cs = 2409; goto _test_eof; 
	_test_eof2410: cs = 2410; goto _test_eof; 
	_test_eof2411: cs = 2411; goto _test_eof; 
	_test_eof2412: cs = 2412; goto _test_eof; 
	_test_eof2413: cs = 2413; goto _test_eof; 
	_test_eof2414: cs = 2414; goto _test_eof; 
	_test_eof2415: cs = 2415; goto _test_eof; 
	_test_eof2416: cs = 2416; goto _test_eof; 
	_test_eof2417: cs = 2417; goto _test_eof; 
	_test_eof2418: cs = 2418; goto _test_eof; 
	_test_eof2419: cs = 2419; goto _test_eof; 
	_test_eof2420: cs = 2420; goto _test_eof; 
	_test_eof2421: cs = 2421; goto _test_eof; 
	_test_eof2422: cs = 2422; goto _test_eof; 
	_test_eof2423: cs = 2423; goto _test_eof; 
	_test_eof2424: cs = 2424; goto _test_eof; 
	_test_eof2425: cs = 2425; goto _test_eof; 
	_test_eof2426: cs = 2426; goto _test_eof; 
	_test_eof2427: cs = 2427; goto _test_eof; 
	_test_eof2428: cs = 2428; goto _test_eof; 
	_test_eof2429: cs = 2429; goto _test_eof; 
	_test_eof2430: cs = 2430; goto _test_eof; 
	_test_eof2431: cs = 2431; goto _test_eof; 
	_test_eof2432: cs = 2432; goto _test_eof; 
	_test_eof2433: cs = 2433; goto _test_eof; 
	_test_eof2434: cs = 2434; goto _test_eof; 
	_test_eof2435: cs = 2435; goto _test_eof; 
	_test_eof2436: cs = 2436; goto _test_eof; 
	_test_eof2437: cs = 2437; goto _test_eof; 
	_test_eof2438: cs = 2438; goto _test_eof; 
	_test_eof2439: cs = 2439; goto _test_eof; 
	_test_eof2440: cs = 2440; goto _test_eof; 
	_test_eof2441: cs = 2441; goto _test_eof; 
	_test_eof2442: cs = 2442; goto _test_eof; 
	_test_eof2443: cs = 2443; goto _test_eof; 
	_test_eof2444: cs = 2444; goto _test_eof; 
	_test_eof2445: cs = 2445; goto _test_eof; 
	_test_eof2446: cs = 2446; goto _test_eof; 
	_test_eof2447: cs = 2447; goto _test_eof; 
	_test_eof2448: cs = 2448; goto _test_eof; 
	_test_eof2449: cs = 2449; goto _test_eof; 
	_test_eof2450: cs = 2450; goto _test_eof; 
	_test_eof2451: cs = 2451; goto _test_eof; 
	_test_eof2452: cs = 2452; goto _test_eof; 
	_test_eof2453: cs = 2453; goto _test_eof; 
	_test_eof2454: cs = 2454; goto _test_eof; 
	_test_eof2455: cs = 2455; goto _test_eof; 
	_test_eof2456: cs = 2456; goto _test_eof; 
	_test_eof2457: cs = 2457; goto _test_eof; 
	_test_eof2458: cs = 2458; goto _test_eof; 
	_test_eof2459: cs = 2459; goto _test_eof; 
	_test_eof2460: cs = 2460; goto _test_eof; 
	_test_eof2461: cs = 2461; goto _test_eof; 
	_test_eof2462: cs = 2462; goto _test_eof; 
	_test_eof2463: cs = 2463; goto _test_eof; 
	_test_eof2464: cs = 2464; goto _test_eof; 
	_test_eof2465: cs = 2465; goto _test_eof; 
	_test_eof2466: cs = 2466; goto _test_eof; 
	_test_eof2467: cs = 2467; goto _test_eof; 
	_test_eof2468: cs = 2468; goto _test_eof; 
	_test_eof2469: cs = 2469; goto _test_eof; 
	_test_eof2470: cs = 2470; goto _test_eof; 
	_test_eof2471: cs = 2471; goto _test_eof; 
	_test_eof2472: cs = 2472; goto _test_eof; 
	_test_eof2473: cs = 2473; goto _test_eof; 
	_test_eof2474: cs = 2474; goto _test_eof; 
	_test_eof2475: cs = 2475; goto _test_eof; 
	_test_eof2476: cs = 2476; goto _test_eof; 
	_test_eof2477: cs = 2477; goto _test_eof; 
	_test_eof2478: cs = 2478; goto _test_eof; 
	_test_eof2479: cs = 2479; goto _test_eof; 
	_test_eof2480: cs = 2480; goto _test_eof; 
	_test_eof2481: cs = 2481; goto _test_eof; 
	_test_eof2482: cs = 2482; goto _test_eof; 
	_test_eof2483: cs = 2483; goto _test_eof; 
	_test_eof2484: cs = 2484; goto _test_eof; 
	_test_eof2485: cs = 2485; goto _test_eof; 
	_test_eof2486: cs = 2486; goto _test_eof; 
	_test_eof2487: cs = 2487; goto _test_eof; 
	_test_eof2488: cs = 2488; goto _test_eof; 
	_test_eof2489: cs = 2489; goto _test_eof; 
	_test_eof2490: cs = 2490; goto _test_eof; 
	_test_eof2491: cs = 2491; goto _test_eof; 
	_test_eof2492: cs = 2492; goto _test_eof; 
	_test_eof2493: cs = 2493; goto _test_eof; 
	_test_eof2494: cs = 2494; goto _test_eof; 
	_test_eof2495: cs = 2495; goto _test_eof; 
	_test_eof2496: cs = 2496; goto _test_eof; 
	_test_eof2497: cs = 2497; goto _test_eof; 
	_test_eof2498: cs = 2498; goto _test_eof; 
	_test_eof2499: cs = 2499; goto _test_eof; 
	_test_eof2500: cs = 2500; goto _test_eof; 
	_test_eof2501: cs = 2501; goto _test_eof; 
	_test_eof2502: cs = 2502; goto _test_eof; 
	_test_eof2503: cs = 2503; goto _test_eof; 
	_test_eof2504: cs = 2504; goto _test_eof; 
	_test_eof2505: cs = 2505; goto _test_eof; 
	_test_eof2506: cs = 2506; goto _test_eof; 
	_test_eof2507: cs = 2507; goto _test_eof; 
	_test_eof2508: cs = 2508; goto _test_eof; 
	_test_eof2509: cs = 2509; goto _test_eof; 
	_test_eof2510: cs = 2510; goto _test_eof; 
	_test_eof2511: cs = 2511; goto _test_eof; 
	_test_eof2512: cs = 2512; goto _test_eof; 
	_test_eof2513: cs = 2513; goto _test_eof; 
	_test_eof2514: cs = 2514; goto _test_eof; 
	_test_eof2515: cs = 2515; goto _test_eof; 
	_test_eof2516: cs = 2516; goto _test_eof; 
	_test_eof2517: cs = 2517; goto _test_eof; 
	_test_eof2518: cs = 2518; goto _test_eof; 
	_test_eof2519: cs = 2519; goto _test_eof; 
	_test_eof2520: cs = 2520; goto _test_eof; 
	_test_eof2521: cs = 2521; goto _test_eof; 
	_test_eof2522: cs = 2522; goto _test_eof; 
	_test_eof2523: cs = 2523; goto _test_eof; 
	_test_eof2524: cs = 2524; goto _test_eof; 
	_test_eof2525: cs = 2525; goto _test_eof; 
	_test_eof2526: cs = 2526; goto _test_eof; 
	_test_eof2527: cs = 2527; goto _test_eof; 
	_test_eof2528: cs = 2528; goto _test_eof; 
	_test_eof2529: cs = 2529; goto _test_eof; 
	_test_eof2530: cs = 2530; goto _test_eof; 
	_test_eof2531: cs = 2531; goto _test_eof; 
	_test_eof2532: cs = 2532; goto _test_eof; 
	_test_eof2533: cs = 2533; goto _test_eof; 
	_test_eof2534: cs = 2534; goto _test_eof; 
	_test_eof2535: cs = 2535; goto _test_eof; 
	_test_eof2536: cs = 2536; goto _test_eof; 
	_test_eof2537: cs = 2537; goto _test_eof; 
	_test_eof2538: cs = 2538; goto _test_eof; 
	_test_eof2539: cs = 2539; goto _test_eof; 
	_test_eof2540: cs = 2540; goto _test_eof; 
	_test_eof2541: cs = 2541; goto _test_eof; 
	_test_eof2542: cs = 2542; goto _test_eof; 
	_test_eof2543: cs = 2543; goto _test_eof; 
	_test_eof2544: cs = 2544; goto _test_eof; 
	_test_eof2545: cs = 2545; goto _test_eof; 
	_test_eof2546: cs = 2546; goto _test_eof; 
	_test_eof2547: cs = 2547; goto _test_eof; 
	_test_eof2548: cs = 2548; goto _test_eof; 
	_test_eof2549: cs = 2549; goto _test_eof; 
	_test_eof2550: cs = 2550; goto _test_eof; 
	_test_eof2551: cs = 2551; goto _test_eof; 
	_test_eof2552: cs = 2552; goto _test_eof; 
	_test_eof2553: cs = 2553; goto _test_eof; 
	_test_eof2554: cs = 2554; goto _test_eof; 
	_test_eof2555: cs = 2555; goto _test_eof; 
	_test_eof2556: cs = 2556; goto _test_eof; 
	_test_eof2557: cs = 2557; goto _test_eof; 
	_test_eof2558: cs = 2558; goto _test_eof; 
	_test_eof2559: cs = 2559; goto _test_eof; 
	_test_eof2560: cs = 2560; goto _test_eof; 
	_test_eof2561: cs = 2561; goto _test_eof; 
	_test_eof2562: cs = 2562; goto _test_eof; 
	_test_eof2563: cs = 2563; goto _test_eof; 
	_test_eof2564: cs = 2564; goto _test_eof; 
	_test_eof2565: cs = 2565; goto _test_eof; 
	_test_eof2566: cs = 2566; goto _test_eof; 
	_test_eof2567: cs = 2567; goto _test_eof; 
	_test_eof2568: cs = 2568; goto _test_eof; 
	_test_eof2569: cs = 2569; goto _test_eof; 
	_test_eof2570: cs = 2570; goto _test_eof; 
	_test_eof2571: cs = 2571; goto _test_eof; 
	_test_eof2572: cs = 2572; goto _test_eof; 
	_test_eof2573: cs = 2573; goto _test_eof; 
	_test_eof2574: cs = 2574; goto _test_eof; 
	_test_eof2575: cs = 2575; goto _test_eof; 
	_test_eof2576: cs = 2576; goto _test_eof; 
	_test_eof2577: cs = 2577; goto _test_eof; 
	_test_eof2578: cs = 2578; goto _test_eof; 
	_test_eof2579: cs = 2579; goto _test_eof; 
	_test_eof2580: cs = 2580; goto _test_eof; 
	_test_eof2581: cs = 2581; goto _test_eof; 
	_test_eof2582: cs = 2582; goto _test_eof; 
	_test_eof2583: cs = 2583; goto _test_eof; 
	_test_eof2584: cs = 2584; goto _test_eof; 
	_test_eof2585: cs = 2585; goto _test_eof; 
	_test_eof2586: cs = 2586; goto _test_eof; 
	_test_eof2587: cs = 2587; goto _test_eof; 
	_test_eof2588: cs = 2588; goto _test_eof; 
	_test_eof2589: cs = 2589; goto _test_eof; 
	_test_eof2590: cs = 2590; goto _test_eof; 
	_test_eof2591: cs = 2591; goto _test_eof; 
	_test_eof2592: cs = 2592; goto _test_eof; 
	_test_eof2593: cs = 2593; goto _test_eof; 
	_test_eof2594: cs = 2594; goto _test_eof; 
	_test_eof2595: cs = 2595; goto _test_eof; 
	_test_eof2596: cs = 2596; goto _test_eof; 
	_test_eof2597: cs = 2597; goto _test_eof; 
	_test_eof2598: cs = 2598; goto _test_eof; 
	_test_eof2599: cs = 2599; goto _test_eof; 
	_test_eof2600: cs = 2600; goto _test_eof; 
	_test_eof2601: cs = 2601; goto _test_eof; 
	_test_eof2602: cs = 2602; goto _test_eof; 
	_test_eof2603: cs = 2603; goto _test_eof; 
	_test_eof2604: cs = 2604; goto _test_eof; 
	_test_eof2605: cs = 2605; goto _test_eof; 
	_test_eof2606: cs = 2606; goto _test_eof; 
	_test_eof2607: cs = 2607; goto _test_eof; 
	_test_eof2608: cs = 2608; goto _test_eof; 
	_test_eof2609: cs = 2609; goto _test_eof; 
	_test_eof2610: cs = 2610; goto _test_eof; 
	_test_eof2611: cs = 2611; goto _test_eof; 
	_test_eof2612: cs = 2612; goto _test_eof; 
	_test_eof2613: cs = 2613; goto _test_eof; 
	_test_eof2614: cs = 2614; goto _test_eof; 
	_test_eof2615: cs = 2615; goto _test_eof; 
	_test_eof2616: cs = 2616; goto _test_eof; 
	_test_eof2617: cs = 2617; goto _test_eof; 
	_test_eof2618: cs = 2618; goto _test_eof; 
	_test_eof2619: cs = 2619; goto _test_eof; 
	_test_eof2620: cs = 2620; goto _test_eof; 
	_test_eof2621: cs = 2621; goto _test_eof; 
	_test_eof2622: cs = 2622; goto _test_eof; 
	_test_eof2623: cs = 2623; goto _test_eof; 
	_test_eof2624: cs = 2624; goto _test_eof; 
	_test_eof2625: cs = 2625; goto _test_eof; 
	_test_eof2626: cs = 2626; goto _test_eof; 
	_test_eof2627: cs = 2627; goto _test_eof; 
	_test_eof2628: cs = 2628; goto _test_eof; 
	_test_eof2629: cs = 2629; goto _test_eof; 
	_test_eof2630: cs = 2630; goto _test_eof; 
	_test_eof2631: cs = 2631; goto _test_eof; 
	_test_eof2632: cs = 2632; goto _test_eof; 
	_test_eof2633: cs = 2633; goto _test_eof; 
	_test_eof2634: cs = 2634; goto _test_eof; 
	_test_eof2635: cs = 2635; goto _test_eof; 
	_test_eof2636: cs = 2636; goto _test_eof; 
	_test_eof2637: cs = 2637; goto _test_eof; 
	_test_eof2638: cs = 2638; goto _test_eof; 
	_test_eof2639: cs = 2639; goto _test_eof; 
	_test_eof2640: cs = 2640; goto _test_eof; 
	_test_eof2641: cs = 2641; goto _test_eof; 
	_test_eof2642: cs = 2642; goto _test_eof; 
	_test_eof2643: cs = 2643; goto _test_eof; 
	_test_eof2644: cs = 2644; goto _test_eof; 
	_test_eof2645: cs = 2645; goto _test_eof; 
	_test_eof2646: cs = 2646; goto _test_eof; 
	_test_eof2647: cs = 2647; goto _test_eof; 
	_test_eof2648: cs = 2648; goto _test_eof; 
	_test_eof2649: cs = 2649; goto _test_eof; 
	_test_eof2650: cs = 2650; goto _test_eof; 
	_test_eof2651: cs = 2651; goto _test_eof; 
	_test_eof2652: cs = 2652; goto _test_eof; 
	_test_eof2653: cs = 2653; goto _test_eof; 
	_test_eof2654: cs = 2654; goto _test_eof; 
	_test_eof2655: cs = 2655; goto _test_eof; 
	_test_eof2656: cs = 2656; goto _test_eof; 
	_test_eof2657: cs = 2657; goto _test_eof; 
	_test_eof2658: cs = 2658; goto _test_eof; 
	_test_eof2659: cs = 2659; goto _test_eof; 
	_test_eof2660: cs = 2660; goto _test_eof; 
	_test_eof2661: cs = 2661; goto _test_eof; 
	_test_eof2662: cs = 2662; goto _test_eof; 
	_test_eof2663: cs = 2663; goto _test_eof; 
	_test_eof2664: cs = 2664; goto _test_eof; 
	_test_eof2665: cs = 2665; goto _test_eof; 
	_test_eof2666: cs = 2666; goto _test_eof; 
	_test_eof2667: cs = 2667; goto _test_eof; 
	_test_eof2668: cs = 2668; goto _test_eof; 
	_test_eof2669: cs = 2669; goto _test_eof; 
	_test_eof2670: cs = 2670; goto _test_eof; 
	_test_eof2671: cs = 2671; goto _test_eof; 
	_test_eof2672: cs = 2672; goto _test_eof; 
	_test_eof2673: cs = 2673; goto _test_eof; 
	_test_eof2674: cs = 2674; goto _test_eof; 
	_test_eof2675: cs = 2675; goto _test_eof; 
	_test_eof2676: cs = 2676; goto _test_eof; 
	_test_eof2677: cs = 2677; goto _test_eof; 
	_test_eof2678: cs = 2678; goto _test_eof; 
	_test_eof2679: cs = 2679; goto _test_eof; 
	_test_eof2680: cs = 2680; goto _test_eof; 
	_test_eof2681: cs = 2681; goto _test_eof; 
	_test_eof2682: cs = 2682; goto _test_eof; 
	_test_eof2683: cs = 2683; goto _test_eof; 
	_test_eof2684: cs = 2684; goto _test_eof; 
	_test_eof2685: cs = 2685; goto _test_eof; 
	_test_eof2686: cs = 2686; goto _test_eof; 
	_test_eof2687: cs = 2687; goto _test_eof; 
	_test_eof2688: cs = 2688; goto _test_eof; 
	_test_eof2689: cs = 2689; goto _test_eof; 
	_test_eof2690: cs = 2690; goto _test_eof; 
	_test_eof2691: cs = 2691; goto _test_eof; 
	_test_eof2692: cs = 2692; goto _test_eof; 
	_test_eof2693: cs = 2693; goto _test_eof; 
	_test_eof2694: cs = 2694; goto _test_eof; 
	_test_eof2695: cs = 2695; goto _test_eof; 
	_test_eof2696: cs = 2696; goto _test_eof; 
	_test_eof2697: cs = 2697; goto _test_eof; 
	_test_eof2698: cs = 2698; goto _test_eof; 
	_test_eof2699: cs = 2699; goto _test_eof; 
	_test_eof2700: cs = 2700; goto _test_eof; 
	_test_eof2701: cs = 2701; goto _test_eof; 
	_test_eof2702: cs = 2702; goto _test_eof; 
	_test_eof2703: cs = 2703; goto _test_eof; 
	_test_eof2704: cs = 2704; goto _test_eof; 
	_test_eof2705: cs = 2705; goto _test_eof; 
	_test_eof2706: cs = 2706; goto _test_eof; 
	_test_eof2707: cs = 2707; goto _test_eof; 
	_test_eof2708: cs = 2708; goto _test_eof; 
	_test_eof2709: cs = 2709; goto _test_eof; 
	_test_eof2710: cs = 2710; goto _test_eof; 
	_test_eof2711: cs = 2711; goto _test_eof; 
	_test_eof2712: cs = 2712; goto _test_eof; 
	_test_eof2713: cs = 2713; goto _test_eof; 
	_test_eof2714: cs = 2714; goto _test_eof; 
	_test_eof2715: cs = 2715; goto _test_eof; 
	_test_eof2716: cs = 2716; goto _test_eof; 
	_test_eof2717: cs = 2717; goto _test_eof; 
	_test_eof2718: cs = 2718; goto _test_eof; 
	_test_eof2719: cs = 2719; goto _test_eof; 
	_test_eof2720: cs = 2720; goto _test_eof; 
	_test_eof2721: cs = 2721; goto _test_eof; 
	_test_eof2722: cs = 2722; goto _test_eof; 
	_test_eof2723: cs = 2723; goto _test_eof; 
	_test_eof2724: cs = 2724; goto _test_eof; 
	_test_eof2725: cs = 2725; goto _test_eof; 
	_test_eof2726: cs = 2726; goto _test_eof; 
	_test_eof2727: cs = 2727; goto _test_eof; 
	_test_eof2728: cs = 2728; goto _test_eof; 
	_test_eof2729: cs = 2729; goto _test_eof; 
	_test_eof2730: cs = 2730; goto _test_eof; 
	_test_eof2731: cs = 2731; goto _test_eof; 
	_test_eof2732: cs = 2732; goto _test_eof; 
	_test_eof2733: cs = 2733; goto _test_eof; 
	_test_eof2734: cs = 2734; goto _test_eof; 
	_test_eof2735: cs = 2735; goto _test_eof; 
	_test_eof2736: cs = 2736; goto _test_eof; 
	_test_eof2737: cs = 2737; goto _test_eof; 
	_test_eof2738: cs = 2738; goto _test_eof; 
	_test_eof2739: cs = 2739; goto _test_eof; 
	_test_eof2740: cs = 2740; goto _test_eof; 
	_test_eof2741: cs = 2741; goto _test_eof; 
	_test_eof2742: cs = 2742; goto _test_eof; 
	_test_eof2743: cs = 2743; goto _test_eof; 
	_test_eof2744: cs = 2744; goto _test_eof; 
	_test_eof2745: cs = 2745; goto _test_eof; 
	_test_eof2746: cs = 2746; goto _test_eof; 
	_test_eof2747: cs = 2747; goto _test_eof; 
	_test_eof2748: cs = 2748; goto _test_eof; 
	_test_eof2749: cs = 2749; goto _test_eof; 
	_test_eof2750: cs = 2750; goto _test_eof; 
	_test_eof2751: cs = 2751; goto _test_eof; 
	_test_eof2752: cs = 2752; goto _test_eof; 
	_test_eof2753: cs = 2753; goto _test_eof; 
	_test_eof2754: cs = 2754; goto _test_eof; 
	_test_eof2755: cs = 2755; goto _test_eof; 
	_test_eof2756: cs = 2756; goto _test_eof; 
	_test_eof2757: cs = 2757; goto _test_eof; 
	_test_eof2758: cs = 2758; goto _test_eof; 
	_test_eof2759: cs = 2759; goto _test_eof; 
	_test_eof2760: cs = 2760; goto _test_eof; 
	_test_eof2761: cs = 2761; goto _test_eof; 
	_test_eof2762: cs = 2762; goto _test_eof; 
	_test_eof2763: cs = 2763; goto _test_eof; 
	_test_eof2764: cs = 2764; goto _test_eof; 
	_test_eof2765: cs = 2765; goto _test_eof; 
	_test_eof2766: cs = 2766; goto _test_eof; 
	_test_eof2767: cs = 2767; goto _test_eof; 
	_test_eof2768: cs = 2768; goto _test_eof; 
	_test_eof2769: cs = 2769; goto _test_eof; 
	_test_eof2770: cs = 2770; goto _test_eof; 
	_test_eof2771: cs = 2771; goto _test_eof; 
	_test_eof2772: cs = 2772; goto _test_eof; 
	_test_eof2773: cs = 2773; goto _test_eof; 
	_test_eof2774: cs = 2774; goto _test_eof; 
	_test_eof2775: cs = 2775; goto _test_eof; 
	_test_eof2776: cs = 2776; goto _test_eof; 
	_test_eof2777: cs = 2777; goto _test_eof; 
	_test_eof2778: cs = 2778; goto _test_eof; 
	_test_eof2779: cs = 2779; goto _test_eof; 
	_test_eof2780: cs = 2780; goto _test_eof; 
	_test_eof2781: cs = 2781; goto _test_eof; 
	_test_eof2782: cs = 2782; goto _test_eof; 
	_test_eof2783: cs = 2783; goto _test_eof; 
	_test_eof2784: cs = 2784; goto _test_eof; 
	_test_eof2785: cs = 2785; goto _test_eof; 
	_test_eof2786: cs = 2786; goto _test_eof; 
	_test_eof2787: cs = 2787; goto _test_eof; 
	_test_eof2788: cs = 2788; goto _test_eof; 
	_test_eof2789: cs = 2789; goto _test_eof; 
	_test_eof2790: cs = 2790; goto _test_eof; 
	_test_eof2791: cs = 2791; goto _test_eof; 
	_test_eof2792: cs = 2792; goto _test_eof; 
	_test_eof2793: cs = 2793; goto _test_eof; 
	_test_eof2794: cs = 2794; goto _test_eof; 
	_test_eof2795: cs = 2795; goto _test_eof; 
	_test_eof2796: cs = 2796; goto _test_eof; 
	_test_eof2797: cs = 2797; goto _test_eof; 
	_test_eof2798: cs = 2798; goto _test_eof; 
	_test_eof2799: cs = 2799; goto _test_eof; 
	_test_eof2800: cs = 2800; goto _test_eof; 
	_test_eof2801: cs = 2801; goto _test_eof; 
	_test_eof2802: cs = 2802; goto _test_eof; 
	_test_eof2803: cs = 2803; goto _test_eof; 
	_test_eof2804: cs = 2804; goto _test_eof; 
	_test_eof2805: cs = 2805; goto _test_eof; 
	_test_eof2806: cs = 2806; goto _test_eof; 
	_test_eof2807: cs = 2807; goto _test_eof; 
	_test_eof2808: cs = 2808; goto _test_eof; 
	_test_eof2809: cs = 2809; goto _test_eof; 
	_test_eof2810: cs = 2810; goto _test_eof; 
	_test_eof2811: cs = 2811; goto _test_eof; 
	_test_eof2812: cs = 2812; goto _test_eof; 
	_test_eof2813: cs = 2813; goto _test_eof; 
	_test_eof2814: cs = 2814; goto _test_eof; 
	_test_eof2815: cs = 2815; goto _test_eof; 
	_test_eof2816: cs = 2816; goto _test_eof; 
	_test_eof2817: cs = 2817; goto _test_eof; 
	_test_eof2818: cs = 2818; goto _test_eof; 
	_test_eof2819: cs = 2819; goto _test_eof; 
	_test_eof2820: cs = 2820; goto _test_eof; 
	_test_eof2821: cs = 2821; goto _test_eof; 
	_test_eof2822: cs = 2822; goto _test_eof; 
	_test_eof2823: cs = 2823; goto _test_eof; 
	_test_eof2824: cs = 2824; goto _test_eof; 
	_test_eof2825: cs = 2825; goto _test_eof; 
	_test_eof2826: cs = 2826; goto _test_eof; 
	_test_eof2827: cs = 2827; goto _test_eof; 
	_test_eof2828: cs = 2828; goto _test_eof; 
	_test_eof2829: cs = 2829; goto _test_eof; 
	_test_eof2830: cs = 2830; goto _test_eof; 
	_test_eof2831: cs = 2831; goto _test_eof; 
	_test_eof2832: cs = 2832; goto _test_eof; 
	_test_eof2833: cs = 2833; goto _test_eof; 
	_test_eof2834: cs = 2834; goto _test_eof; 
	_test_eof2835: cs = 2835; goto _test_eof; 
	_test_eof2836: cs = 2836; goto _test_eof; 
	_test_eof2837: cs = 2837; goto _test_eof; 
	_test_eof2838: cs = 2838; goto _test_eof; 
	_test_eof2839: cs = 2839; goto _test_eof; 
	_test_eof2840: cs = 2840; goto _test_eof; 
	_test_eof2841: cs = 2841; goto _test_eof; 
	_test_eof2842: cs = 2842; goto _test_eof; 
	_test_eof2843: cs = 2843; goto _test_eof; 
	_test_eof2844: cs = 2844; goto _test_eof; 
	_test_eof2845: cs = 2845; goto _test_eof; 
	_test_eof2846: cs = 2846; goto _test_eof; 
	_test_eof2847: cs = 2847; goto _test_eof; 
	_test_eof2848: cs = 2848; goto _test_eof; 
	_test_eof2849: cs = 2849; goto _test_eof; 
	_test_eof2850: cs = 2850; goto _test_eof; 
	_test_eof2851: cs = 2851; goto _test_eof; 
	_test_eof2852: cs = 2852; goto _test_eof; 
	_test_eof2853: cs = 2853; goto _test_eof; 
	_test_eof2854: cs = 2854; goto _test_eof; 
	_test_eof2855: cs = 2855; goto _test_eof; 
	_test_eof2856: cs = 2856; goto _test_eof; 
	_test_eof2857: cs = 2857; goto _test_eof; 
	_test_eof2858: cs = 2858; goto _test_eof; 
	_test_eof2859: cs = 2859; goto _test_eof; 
	_test_eof2860: cs = 2860; goto _test_eof; 
	_test_eof2861: cs = 2861; goto _test_eof; 
	_test_eof2862: cs = 2862; goto _test_eof; 
	_test_eof2863: cs = 2863; goto _test_eof; 
	_test_eof2864: cs = 2864; goto _test_eof; 
	_test_eof2865: cs = 2865; goto _test_eof; 
	_test_eof2866: cs = 2866; goto _test_eof; 
	_test_eof2867: cs = 2867; goto _test_eof; 
	_test_eof2868: cs = 2868; goto _test_eof; 
	_test_eof2869: cs = 2869; goto _test_eof; 
	_test_eof2870: cs = 2870; goto _test_eof; 
	_test_eof2871: cs = 2871; goto _test_eof; 
	_test_eof2872: cs = 2872; goto _test_eof; 
	_test_eof2873: cs = 2873; goto _test_eof; 
	_test_eof2874: cs = 2874; goto _test_eof; 
	_test_eof2875: cs = 2875; goto _test_eof; 
	_test_eof2876: cs = 2876; goto _test_eof; 
	_test_eof2877: cs = 2877; goto _test_eof; 
	_test_eof2878: cs = 2878; goto _test_eof; 
	_test_eof2879: cs = 2879; goto _test_eof; 
	_test_eof2880: cs = 2880; goto _test_eof; 
	_test_eof2881: cs = 2881; goto _test_eof; 
	_test_eof2882: cs = 2882; goto _test_eof; 
	_test_eof2883: cs = 2883; goto _test_eof; 
	_test_eof2884: cs = 2884; goto _test_eof; 
	_test_eof2885: cs = 2885; goto _test_eof; 
	_test_eof2886: cs = 2886; goto _test_eof; 
	_test_eof2887: cs = 2887; goto _test_eof; 
	_test_eof2888: cs = 2888; goto _test_eof; 
	_test_eof2889: cs = 2889; goto _test_eof; 
	_test_eof2890: cs = 2890; goto _test_eof; 
	_test_eof2891: cs = 2891; goto _test_eof; 
	_test_eof2892: cs = 2892; goto _test_eof; 
	_test_eof2893: cs = 2893; goto _test_eof; 
	_test_eof2894: cs = 2894; goto _test_eof; 
	_test_eof2895: cs = 2895; goto _test_eof; 
	_test_eof2896: cs = 2896; goto _test_eof; 
	_test_eof2897: cs = 2897; goto _test_eof; 
	_test_eof2898: cs = 2898; goto _test_eof; 
	_test_eof2899: cs = 2899; goto _test_eof; 
	_test_eof2900: cs = 2900; goto _test_eof; 
	_test_eof2901: cs = 2901; goto _test_eof; 
	_test_eof2902: cs = 2902; goto _test_eof; 
	_test_eof2903: cs = 2903; goto _test_eof; 
	_test_eof2904: cs = 2904; goto _test_eof; 
	_test_eof2905: cs = 2905; goto _test_eof; 
	_test_eof2906: cs = 2906; goto _test_eof; 
	_test_eof2907: cs = 2907; goto _test_eof; 
	_test_eof2908: cs = 2908; goto _test_eof; 
	_test_eof2909: cs = 2909; goto _test_eof; 
	_test_eof2910: cs = 2910; goto _test_eof; 
	_test_eof2911: cs = 2911; goto _test_eof; 
	_test_eof2912: cs = 2912; goto _test_eof; 
	_test_eof2913: cs = 2913; goto _test_eof; 
	_test_eof2914: cs = 2914; goto _test_eof; 
	_test_eof2915: cs = 2915; goto _test_eof; 
	_test_eof2916: cs = 2916; goto _test_eof; 
	_test_eof2917: cs = 2917; goto _test_eof; 
	_test_eof2918: cs = 2918; goto _test_eof; 
	_test_eof2919: cs = 2919; goto _test_eof; 
	_test_eof2920: cs = 2920; goto _test_eof; 
	_test_eof2921: cs = 2921; goto _test_eof; 
	_test_eof2922: cs = 2922; goto _test_eof; 
	_test_eof2923: cs = 2923; goto _test_eof; 
	_test_eof2924: cs = 2924; goto _test_eof; 
	_test_eof2925: cs = 2925; goto _test_eof; 
	_test_eof2926: cs = 2926; goto _test_eof; 
	_test_eof2927: cs = 2927; goto _test_eof; 
	_test_eof2928: cs = 2928; goto _test_eof; 
	_test_eof2929: cs = 2929; goto _test_eof; 
	_test_eof2930: cs = 2930; goto _test_eof; 
	_test_eof2931: cs = 2931; goto _test_eof; 
	_test_eof2932: cs = 2932; goto _test_eof; 
	_test_eof2933: cs = 2933; goto _test_eof; 
	_test_eof2934: cs = 2934; goto _test_eof; 
	_test_eof2935: cs = 2935; goto _test_eof; 
	_test_eof2936: cs = 2936; goto _test_eof; 
	_test_eof2937: cs = 2937; goto _test_eof; 
	_test_eof2938: cs = 2938; goto _test_eof; 
	_test_eof2939: cs = 2939; goto _test_eof; 
	_test_eof2940: cs = 2940; goto _test_eof; 
	_test_eof2941: cs = 2941; goto _test_eof; 
	_test_eof2942: cs = 2942; goto _test_eof; 
	_test_eof2943: cs = 2943; goto _test_eof; 
	_test_eof2944: cs = 2944; goto _test_eof; 
	_test_eof2945: cs = 2945; goto _test_eof; 
	_test_eof2946: cs = 2946; goto _test_eof; 
	_test_eof2947: cs = 2947; goto _test_eof; 
	_test_eof2948: cs = 2948; goto _test_eof; 
	_test_eof2949: cs = 2949; goto _test_eof; 
	_test_eof2950: cs = 2950; goto _test_eof; 
	_test_eof2951: cs = 2951; goto _test_eof; 
	_test_eof2952: cs = 2952; goto _test_eof; 
	_test_eof2953: cs = 2953; goto _test_eof; 
	_test_eof2954: cs = 2954; goto _test_eof; 
	_test_eof2955: cs = 2955; goto _test_eof; 
	_test_eof2956: cs = 2956; goto _test_eof; 
	_test_eof2957: cs = 2957; goto _test_eof; 
	_test_eof2958: cs = 2958; goto _test_eof; 
	_test_eof2959: cs = 2959; goto _test_eof; 
	_test_eof2960: cs = 2960; goto _test_eof; 
	_test_eof2961: cs = 2961; goto _test_eof; 
	_test_eof2962: cs = 2962; goto _test_eof; 
	_test_eof2963: cs = 2963; goto _test_eof; 
	_test_eof2964: cs = 2964; goto _test_eof; 
	_test_eof2965: cs = 2965; goto _test_eof; 
	_test_eof2966: cs = 2966; goto _test_eof; 
	_test_eof2967: cs = 2967; goto _test_eof; 
	_test_eof2968: cs = 2968; goto _test_eof; 
	_test_eof2969: cs = 2969; goto _test_eof; 
	_test_eof2970: cs = 2970; goto _test_eof; 
	_test_eof2971: cs = 2971; goto _test_eof; 
	_test_eof2972: cs = 2972; goto _test_eof; 
	_test_eof2973: cs = 2973; goto _test_eof; 
	_test_eof2974: cs = 2974; goto _test_eof; 
	_test_eof2975: cs = 2975; goto _test_eof; 
	_test_eof2976: cs = 2976; goto _test_eof; 
	_test_eof2977: cs = 2977; goto _test_eof; 
	_test_eof2978: cs = 2978; goto _test_eof; 
	_test_eof2979: cs = 2979; goto _test_eof; 
	_test_eof2980: cs = 2980; goto _test_eof; 
	_test_eof2981: cs = 2981; goto _test_eof; 
	_test_eof2982: cs = 2982; goto _test_eof; 
	_test_eof2983: cs = 2983; goto _test_eof; 
	_test_eof2984: cs = 2984; goto _test_eof; 
	_test_eof2985: cs = 2985; goto _test_eof; 
	_test_eof2986: cs = 2986; goto _test_eof; 
	_test_eof2987: cs = 2987; goto _test_eof; 
	_test_eof2988: cs = 2988; goto _test_eof; 
	_test_eof2989: cs = 2989; goto _test_eof; 
	_test_eof2990: cs = 2990; goto _test_eof; 
	_test_eof2991: cs = 2991; goto _test_eof; 
	_test_eof2992: cs = 2992; goto _test_eof; 
	_test_eof2993: cs = 2993; goto _test_eof; 
	_test_eof2994: cs = 2994; goto _test_eof; 
	_test_eof2995: cs = 2995; goto _test_eof; 
	_test_eof2996: cs = 2996; goto _test_eof; 
	_test_eof2997: cs = 2997; goto _test_eof; 
	_test_eof2998: cs = 2998; goto _test_eof; 
	_test_eof2999: cs = 2999; goto _test_eof; 
	_test_eof3000: cs = 3000; goto _test_eof; 
	_test_eof3001: cs = 3001; goto _test_eof; 
	_test_eof3002: cs = 3002; goto _test_eof; 
	_test_eof3003: cs = 3003; goto _test_eof; 
	_test_eof3004: cs = 3004; goto _test_eof; 
	_test_eof3005: cs = 3005; goto _test_eof; 
	_test_eof3006: cs = 3006; goto _test_eof; 
	_test_eof3007: cs = 3007; goto _test_eof; 
	_test_eof3008: cs = 3008; goto _test_eof; 
	_test_eof3009: cs = 3009; goto _test_eof; 
	_test_eof3010: cs = 3010; goto _test_eof; 
	_test_eof3011: cs = 3011; goto _test_eof; 
	_test_eof3012: cs = 3012; goto _test_eof; 
	_test_eof3013: cs = 3013; goto _test_eof; 
	_test_eof3014: cs = 3014; goto _test_eof; 
	_test_eof3015: cs = 3015; goto _test_eof; 
	_test_eof3016: cs = 3016; goto _test_eof; 
	_test_eof3017: cs = 3017; goto _test_eof; 
	_test_eof3018: cs = 3018; goto _test_eof; 
	_test_eof3019: cs = 3019; goto _test_eof; 
	_test_eof3020: cs = 3020; goto _test_eof; 
	_test_eof3021: cs = 3021; goto _test_eof; 
	_test_eof3022: cs = 3022; goto _test_eof; 
	_test_eof3023: cs = 3023; goto _test_eof; 
	_test_eof3024: cs = 3024; goto _test_eof; 
	_test_eof3025: cs = 3025; goto _test_eof; 
	_test_eof3026: cs = 3026; goto _test_eof; 
	_test_eof3027: cs = 3027; goto _test_eof; 
	_test_eof3028: cs = 3028; goto _test_eof; 
	_test_eof3029: cs = 3029; goto _test_eof; 
	_test_eof3030: cs = 3030; goto _test_eof; 
	_test_eof3031: cs = 3031; goto _test_eof; 
	_test_eof3032: cs = 3032; goto _test_eof; 
	_test_eof3033: cs = 3033; goto _test_eof; 
	_test_eof3034: cs = 3034; goto _test_eof; 
	_test_eof3035: cs = 3035; goto _test_eof; 
	_test_eof3036: cs = 3036; goto _test_eof; 
	_test_eof3037: cs = 3037; goto _test_eof; 
	_test_eof3038: cs = 3038; goto _test_eof; 
	_test_eof3039: cs = 3039; goto _test_eof; 
	_test_eof3040: cs = 3040; goto _test_eof; 
	_test_eof3041: cs = 3041; goto _test_eof; 
	_test_eof3042: cs = 3042; goto _test_eof; 
	_test_eof3043: cs = 3043; goto _test_eof; 
	_test_eof3044: cs = 3044; goto _test_eof; 
	_test_eof3045: cs = 3045; goto _test_eof; 
	_test_eof3046: cs = 3046; goto _test_eof; 
	_test_eof3047: cs = 3047; goto _test_eof; 
	_test_eof3048: cs = 3048; goto _test_eof; 
	_test_eof3049: cs = 3049; goto _test_eof; 
	_test_eof3050: cs = 3050; goto _test_eof; 
	_test_eof3051: cs = 3051; goto _test_eof; 
	_test_eof3052: cs = 3052; goto _test_eof; 
	_test_eof3053: cs = 3053; goto _test_eof; 
	_test_eof3054: cs = 3054; goto _test_eof; 
	_test_eof3055: cs = 3055; goto _test_eof; 
	_test_eof3056: cs = 3056; goto _test_eof; 
	_test_eof3057: cs = 3057; goto _test_eof; 
	_test_eof3058: cs = 3058; goto _test_eof; 
	_test_eof3059: cs = 3059; goto _test_eof; 
	_test_eof3060: cs = 3060; goto _test_eof; 
	_test_eof3061: cs = 3061; goto _test_eof; 
	_test_eof3062: cs = 3062; goto _test_eof; 
	_test_eof3063: cs = 3063; goto _test_eof; 
	_test_eof3064: cs = 3064; goto _test_eof; 
	_test_eof3065: cs = 3065; goto _test_eof; 
	_test_eof3066: cs = 3066; goto _test_eof; 
	_test_eof3067: cs = 3067; goto _test_eof; 
	_test_eof3068: cs = 3068; goto _test_eof; 
	_test_eof3069: cs = 3069; goto _test_eof; 
	_test_eof3070: cs = 3070; goto _test_eof; 
	_test_eof3071: cs = 3071; goto _test_eof; 
	_test_eof3072: cs = 3072; goto _test_eof; 
	_test_eof3073: cs = 3073; goto _test_eof; 
	_test_eof3074: cs = 3074; goto _test_eof; 
	_test_eof3075: cs = 3075; goto _test_eof; 
	_test_eof3076: cs = 3076; goto _test_eof; 
	_test_eof3077: cs = 3077; goto _test_eof; 
	_test_eof3078: cs = 3078; goto _test_eof; 
	_test_eof3079: cs = 3079; goto _test_eof; 
	_test_eof3080: cs = 3080; goto _test_eof; 
	_test_eof3081: cs = 3081; goto _test_eof; 
	_test_eof3082: cs = 3082; goto _test_eof; 
	_test_eof3083: cs = 3083; goto _test_eof; 
	_test_eof3084: cs = 3084; goto _test_eof; 
	_test_eof3085: cs = 3085; goto _test_eof; 
	_test_eof3086: cs = 3086; goto _test_eof; 
	_test_eof3087: cs = 3087; goto _test_eof; 
	_test_eof3088: cs = 3088; goto _test_eof; 
	_test_eof3089: cs = 3089; goto _test_eof; 
	_test_eof3090: cs = 3090; goto _test_eof; 
	_test_eof3091: cs = 3091; goto _test_eof; 
	_test_eof3092: cs = 3092; goto _test_eof; 
	_test_eof3093: cs = 3093; goto _test_eof; 
	_test_eof3094: cs = 3094; goto _test_eof; 
	_test_eof3095: cs = 3095; goto _test_eof; 
	_test_eof3096: cs = 3096; goto _test_eof; 
	_test_eof3097: cs = 3097; goto _test_eof; 
	_test_eof3098: cs = 3098; goto _test_eof; 
	_test_eof3099: cs = 3099; goto _test_eof; 
	_test_eof3100: cs = 3100; goto _test_eof; 
	_test_eof3101: cs = 3101; goto _test_eof; 
	_test_eof3102: cs = 3102; goto _test_eof; 
	_test_eof3103: cs = 3103; goto _test_eof; 
	_test_eof3104: cs = 3104; goto _test_eof; 
	_test_eof3105: cs = 3105; goto _test_eof; 
	_test_eof3106: cs = 3106; goto _test_eof; 
	_test_eof3107: cs = 3107; goto _test_eof; 
	_test_eof3108: cs = 3108; goto _test_eof; 
	_test_eof3109: cs = 3109; goto _test_eof; 
	_test_eof3110: cs = 3110; goto _test_eof; 
	_test_eof3111: cs = 3111; goto _test_eof; 
	_test_eof3112: cs = 3112; goto _test_eof; 
	_test_eof3113: cs = 3113; goto _test_eof; 
	_test_eof3114: cs = 3114; goto _test_eof; 
	_test_eof3115: cs = 3115; goto _test_eof; 
	_test_eof3116: cs = 3116; goto _test_eof; 
	_test_eof3117: cs = 3117; goto _test_eof; 
	_test_eof3118: cs = 3118; goto _test_eof; 
	_test_eof3119: cs = 3119; goto _test_eof; 
	_test_eof3120: cs = 3120; goto _test_eof; 
	_test_eof3121: cs = 3121; goto _test_eof; 
	_test_eof3122: cs = 3122; goto _test_eof; 
	_test_eof3123: cs = 3123; goto _test_eof; 
	_test_eof3124: cs = 3124; goto _test_eof; 
	_test_eof3125: cs = 3125; goto _test_eof; 
	_test_eof3126: cs = 3126; goto _test_eof; 
	_test_eof3127: cs = 3127; goto _test_eof; 
	_test_eof3128: cs = 3128; goto _test_eof; 
	_test_eof3129: cs = 3129; goto _test_eof; 
	_test_eof3130: cs = 3130; goto _test_eof; 
	_test_eof3131: cs = 3131; goto _test_eof; 
	_test_eof3132: cs = 3132; goto _test_eof; 
	_test_eof3133: cs = 3133; goto _test_eof; 
	_test_eof3134: cs = 3134; goto _test_eof; 
	_test_eof3135: cs = 3135; goto _test_eof; 
	_test_eof3136: cs = 3136; goto _test_eof; 
	_test_eof3137: cs = 3137; goto _test_eof; 
	_test_eof3138: cs = 3138; goto _test_eof; 
	_test_eof3139: cs = 3139; goto _test_eof; 
	_test_eof3140: cs = 3140; goto _test_eof; 
	_test_eof3141: cs = 3141; goto _test_eof; 
	_test_eof3142: cs = 3142; goto _test_eof; 
	_test_eof3143: cs = 3143; goto _test_eof; 
	_test_eof3144: cs = 3144; goto _test_eof; 
	_test_eof3145: cs = 3145; goto _test_eof; 
	_test_eof3146: cs = 3146; goto _test_eof; 
	_test_eof3147: cs = 3147; goto _test_eof; 
	_test_eof3148: cs = 3148; goto _test_eof; 
	_test_eof3149: cs = 3149; goto _test_eof; 
	_test_eof3150: cs = 3150; goto _test_eof; 
	_test_eof3151: cs = 3151; goto _test_eof; 
	_test_eof3152: cs = 3152; goto _test_eof; 
	_test_eof3153: cs = 3153; goto _test_eof; 
	_test_eof3154: cs = 3154; goto _test_eof; 
	_test_eof3155: cs = 3155; goto _test_eof; 
	_test_eof3156: cs = 3156; goto _test_eof; 
	_test_eof3157: cs = 3157; goto _test_eof; 
	_test_eof3158: cs = 3158; goto _test_eof; 
	_test_eof3159: cs = 3159; goto _test_eof; 
	_test_eof3160: cs = 3160; goto _test_eof; 
	_test_eof3161: cs = 3161; goto _test_eof; 
	_test_eof3162: cs = 3162; goto _test_eof; 
	_test_eof3163: cs = 3163; goto _test_eof; 
	_test_eof3164: cs = 3164; goto _test_eof; 
	_test_eof3165: cs = 3165; goto _test_eof; 
	_test_eof3166: cs = 3166; goto _test_eof; 
	_test_eof3167: cs = 3167; goto _test_eof; 
	_test_eof3168: cs = 3168; goto _test_eof; 
	_test_eof3169: cs = 3169; goto _test_eof; 
	_test_eof3170: cs = 3170; goto _test_eof; 
	_test_eof3171: cs = 3171; goto _test_eof; 
	_test_eof3172: cs = 3172; goto _test_eof; 
	_test_eof3173: cs = 3173; goto _test_eof; 
	_test_eof3174: cs = 3174; goto _test_eof; 
	_test_eof3175: cs = 3175; goto _test_eof; 
	_test_eof3176: cs = 3176; goto _test_eof; 
	_test_eof3177: cs = 3177; goto _test_eof; 
	_test_eof3178: cs = 3178; goto _test_eof; 
	_test_eof3179: cs = 3179; goto _test_eof; 
	_test_eof3180: cs = 3180; goto _test_eof; 
	_test_eof3181: cs = 3181; goto _test_eof; 
	_test_eof3182: cs = 3182; goto _test_eof; 
	_test_eof3183: cs = 3183; goto _test_eof; 
	_test_eof3184: cs = 3184; goto _test_eof; 
	_test_eof3185: cs = 3185; goto _test_eof; 
	_test_eof3186: cs = 3186; goto _test_eof; 
	_test_eof3187: cs = 3187; goto _test_eof; 
	_test_eof3188: cs = 3188; goto _test_eof; 
	_test_eof3189: cs = 3189; goto _test_eof; 
	_test_eof3190: cs = 3190; goto _test_eof; 
	_test_eof3191: cs = 3191; goto _test_eof; 
	_test_eof3192: cs = 3192; goto _test_eof; 
	_test_eof3193: cs = 3193; goto _test_eof; 
	_test_eof3194: cs = 3194; goto _test_eof; 
	_test_eof3195: cs = 3195; goto _test_eof; 
	_test_eof3196: cs = 3196; goto _test_eof; 
	_test_eof3197: cs = 3197; goto _test_eof; 
	_test_eof3198: cs = 3198; goto _test_eof; 
	_test_eof3199: cs = 3199; goto _test_eof; 
	_test_eof3200: cs = 3200; goto _test_eof; 
	_test_eof3201: cs = 3201; goto _test_eof; 
	_test_eof3202: cs = 3202; goto _test_eof; 
	_test_eof3203: cs = 3203; goto _test_eof; 
	_test_eof3204: cs = 3204; goto _test_eof; 
	_test_eof3205: cs = 3205; goto _test_eof; 
	_test_eof3206: cs = 3206; goto _test_eof; 
	_test_eof3207: cs = 3207; goto _test_eof; 
	_test_eof3208: cs = 3208; goto _test_eof; 
	_test_eof3209: cs = 3209; goto _test_eof; 
	_test_eof3210: cs = 3210; goto _test_eof; 
	_test_eof3211: cs = 3211; goto _test_eof; 
	_test_eof3212: cs = 3212; goto _test_eof; 
	_test_eof3213: cs = 3213; goto _test_eof; 
	_test_eof3214: cs = 3214; goto _test_eof; 
	_test_eof3215: cs = 3215; goto _test_eof; 
	_test_eof3216: cs = 3216; goto _test_eof; 
	_test_eof3217: cs = 3217; goto _test_eof; 
	_test_eof3218: cs = 3218; goto _test_eof; 
	_test_eof3219: cs = 3219; goto _test_eof; 
	_test_eof3220: cs = 3220; goto _test_eof; 
	_test_eof3221: cs = 3221; goto _test_eof; 
	_test_eof3222: cs = 3222; goto _test_eof; 
	_test_eof3223: cs = 3223; goto _test_eof; 
	_test_eof3224: cs = 3224; goto _test_eof; 
	_test_eof3225: cs = 3225; goto _test_eof; 
	_test_eof3226: cs = 3226; goto _test_eof; 
	_test_eof3227: cs = 3227; goto _test_eof; 
	_test_eof3228: cs = 3228; goto _test_eof; 
	_test_eof3229: cs = 3229; goto _test_eof; 
	_test_eof3230: cs = 3230; goto _test_eof; 
	_test_eof3231: cs = 3231; goto _test_eof; 
	_test_eof3232: cs = 3232; goto _test_eof; 
	_test_eof3233: cs = 3233; goto _test_eof; 
	_test_eof3234: cs = 3234; goto _test_eof; 
	_test_eof3235: cs = 3235; goto _test_eof; 
	_test_eof3236: cs = 3236; goto _test_eof; 
	_test_eof3237: cs = 3237; goto _test_eof; 
	_test_eof3238: cs = 3238; goto _test_eof; 
	_test_eof3239: cs = 3239; goto _test_eof; 
	_test_eof3240: cs = 3240; goto _test_eof; 
	_test_eof3241: cs = 3241; goto _test_eof; 
	_test_eof3242: cs = 3242; goto _test_eof; 
	_test_eof3243: cs = 3243; goto _test_eof; 
	_test_eof3244: cs = 3244; goto _test_eof; 
	_test_eof3245: cs = 3245; goto _test_eof; 
	_test_eof3246: cs = 3246; goto _test_eof; 
	_test_eof3247: cs = 3247; goto _test_eof; 
	_test_eof3248: cs = 3248; goto _test_eof; 
	_test_eof3249: cs = 3249; goto _test_eof; 
	_test_eof3250: cs = 3250; goto _test_eof; 
	_test_eof3251: cs = 3251; goto _test_eof; 
	_test_eof3252: cs = 3252; goto _test_eof; 
	_test_eof3253: cs = 3253; goto _test_eof; 
	_test_eof3254: cs = 3254; goto _test_eof; 
	_test_eof3255: cs = 3255; goto _test_eof; 
	_test_eof3256: cs = 3256; goto _test_eof; 
	_test_eof3257: cs = 3257; goto _test_eof; 
	_test_eof3258: cs = 3258; goto _test_eof; 
	_test_eof3259: cs = 3259; goto _test_eof; 
	_test_eof3260: cs = 3260; goto _test_eof; 
	_test_eof3261: cs = 3261; goto _test_eof; 
	_test_eof3262: cs = 3262; goto _test_eof; 
	_test_eof3263: cs = 3263; goto _test_eof; 
	_test_eof3264: cs = 3264; goto _test_eof; 
	_test_eof3265: cs = 3265; goto _test_eof; 
	_test_eof3266: cs = 3266; goto _test_eof; 
	_test_eof3267: cs = 3267; goto _test_eof; 
	_test_eof3268: cs = 3268; goto _test_eof; 
	_test_eof3269: cs = 3269; goto _test_eof; 
	_test_eof3270: cs = 3270; goto _test_eof; 
	_test_eof3271: cs = 3271; goto _test_eof; 
	_test_eof3272: cs = 3272; goto _test_eof; 
	_test_eof3273: cs = 3273; goto _test_eof; 
	_test_eof3274: cs = 3274; goto _test_eof; 
	_test_eof3275: cs = 3275; goto _test_eof; 
	_test_eof3276: cs = 3276; goto _test_eof; 
	_test_eof3277: cs = 3277; goto _test_eof; 
	_test_eof3278: cs = 3278; goto _test_eof; 
	_test_eof3279: cs = 3279; goto _test_eof; 
	_test_eof3280: cs = 3280; goto _test_eof; 
	_test_eof3281: cs = 3281; goto _test_eof; 
	_test_eof3282: cs = 3282; goto _test_eof; 
	_test_eof3283: cs = 3283; goto _test_eof; 
	_test_eof3284: cs = 3284; goto _test_eof; 
	_test_eof3285: cs = 3285; goto _test_eof; 
	_test_eof3286: cs = 3286; goto _test_eof; 
	_test_eof3287: cs = 3287; goto _test_eof; 
	_test_eof3288: cs = 3288; goto _test_eof; 
	_test_eof3289: cs = 3289; goto _test_eof; 
	_test_eof3290: cs = 3290; goto _test_eof; 
	_test_eof3291: cs = 3291; goto _test_eof; 
	_test_eof3292: cs = 3292; goto _test_eof; 
	_test_eof3293: cs = 3293; goto _test_eof; 
	_test_eof3294: cs = 3294; goto _test_eof; 
	_test_eof3295: cs = 3295; goto _test_eof; 
	_test_eof3296: cs = 3296; goto _test_eof; 
	_test_eof3297: cs = 3297; goto _test_eof; 
	_test_eof3298: cs = 3298; goto _test_eof; 
	_test_eof3299: cs = 3299; goto _test_eof; 
	_test_eof3300: cs = 3300; goto _test_eof; 
	_test_eof3301: cs = 3301; goto _test_eof; 
	_test_eof3302: cs = 3302; goto _test_eof; 
	_test_eof3303: cs = 3303; goto _test_eof; 
	_test_eof3304: cs = 3304; goto _test_eof; 
	_test_eof3305: cs = 3305; goto _test_eof; 
	_test_eof3306: cs = 3306; goto _test_eof; 
	_test_eof3307: cs = 3307; goto _test_eof; 
	_test_eof3308: cs = 3308; goto _test_eof; 
	_test_eof3309: cs = 3309; goto _test_eof; 
	_test_eof3310: cs = 3310; goto _test_eof; 
	_test_eof3311: cs = 3311; goto _test_eof; 
	_test_eof3312: cs = 3312; goto _test_eof; 
	_test_eof3313: cs = 3313; goto _test_eof; 
	_test_eof3314: cs = 3314; goto _test_eof; 
	_test_eof3315: cs = 3315; goto _test_eof; 
	_test_eof3316: cs = 3316; goto _test_eof; 
	_test_eof3317: cs = 3317; goto _test_eof; 
	_test_eof3318: cs = 3318; goto _test_eof; 
	_test_eof3319: cs = 3319; goto _test_eof; 
	_test_eof3320: cs = 3320; goto _test_eof; 
	_test_eof3321: cs = 3321; goto _test_eof; 
	_test_eof3322: cs = 3322; goto _test_eof; 
	_test_eof3323: cs = 3323; goto _test_eof; 
	_test_eof3324: cs = 3324; goto _test_eof; 
	_test_eof3325: cs = 3325; goto _test_eof; 
	_test_eof3326: cs = 3326; goto _test_eof; 
	_test_eof3327: cs = 3327; goto _test_eof; 
	_test_eof3328: cs = 3328; goto _test_eof; 
	_test_eof3329: cs = 3329; goto _test_eof; 
	_test_eof3330: cs = 3330; goto _test_eof; 
	_test_eof3331: cs = 3331; goto _test_eof; 
	_test_eof3332: cs = 3332; goto _test_eof; 
	_test_eof3333: cs = 3333; goto _test_eof; 
	_test_eof3334: cs = 3334; goto _test_eof; 
	_test_eof3335: cs = 3335; goto _test_eof; 
	_test_eof3336: cs = 3336; goto _test_eof; 
	_test_eof3337: cs = 3337; goto _test_eof; 
	_test_eof3338: cs = 3338; goto _test_eof; 
	_test_eof3339: cs = 3339; goto _test_eof; 
	_test_eof3340: cs = 3340; goto _test_eof; 
	_test_eof3341: cs = 3341; goto _test_eof; 
	_test_eof3342: cs = 3342; goto _test_eof; 
	_test_eof3343: cs = 3343; goto _test_eof; 
	_test_eof3344: cs = 3344; goto _test_eof; 
	_test_eof3345: cs = 3345; goto _test_eof; 
	_test_eof3346: cs = 3346; goto _test_eof; 
	_test_eof3347: cs = 3347; goto _test_eof; 
	_test_eof3348: cs = 3348; goto _test_eof; 
	_test_eof3349: cs = 3349; goto _test_eof; 
	_test_eof3350: cs = 3350; goto _test_eof; 
	_test_eof3351: cs = 3351; goto _test_eof; 
	_test_eof3352: cs = 3352; goto _test_eof; 
	_test_eof3353: cs = 3353; goto _test_eof; 
	_test_eof3354: cs = 3354; goto _test_eof; 
	_test_eof3355: cs = 3355; goto _test_eof; 
	_test_eof3356: cs = 3356; goto _test_eof; 
	_test_eof3357: cs = 3357; goto _test_eof; 
	_test_eof3358: cs = 3358; goto _test_eof; 
	_test_eof3359: cs = 3359; goto _test_eof; 
	_test_eof3360: cs = 3360; goto _test_eof; 
	_test_eof3361: cs = 3361; goto _test_eof; 
	_test_eof3362: cs = 3362; goto _test_eof; 
	_test_eof3363: cs = 3363; goto _test_eof; 
	_test_eof3364: cs = 3364; goto _test_eof; 
	_test_eof3365: cs = 3365; goto _test_eof; 
	_test_eof3366: cs = 3366; goto _test_eof; 
	_test_eof3367: cs = 3367; goto _test_eof; 
	_test_eof3368: cs = 3368; goto _test_eof; 
	_test_eof3369: cs = 3369; goto _test_eof; 
	_test_eof3370: cs = 3370; goto _test_eof; 
	_test_eof3371: cs = 3371; goto _test_eof; 
	_test_eof3372: cs = 3372; goto _test_eof; 
	_test_eof3373: cs = 3373; goto _test_eof; 
	_test_eof3374: cs = 3374; goto _test_eof; 
	_test_eof3375: cs = 3375; goto _test_eof; 
	_test_eof3376: cs = 3376; goto _test_eof; 
	_test_eof3377: cs = 3377; goto _test_eof; 
	_test_eof3378: cs = 3378; goto _test_eof; 
	_test_eof3379: cs = 3379; goto _test_eof; 
	_test_eof3380: cs = 3380; goto _test_eof; 
	_test_eof3381: cs = 3381; goto _test_eof; 
	_test_eof3382: cs = 3382; goto _test_eof; 
	_test_eof3383: cs = 3383; goto _test_eof; 
	_test_eof3384: cs = 3384; goto _test_eof; 
	_test_eof3385: cs = 3385; goto _test_eof; 
	_test_eof3386: cs = 3386; goto _test_eof; 
	_test_eof3387: cs = 3387; goto _test_eof; 
	_test_eof3388: cs = 3388; goto _test_eof; 
	_test_eof3389: cs = 3389; goto _test_eof; 
	_test_eof3390: cs = 3390; goto _test_eof; 
	_test_eof3391: cs = 3391; goto _test_eof; 
	_test_eof3392: cs = 3392; goto _test_eof; 
	_test_eof3393: cs = 3393; goto _test_eof; 
	_test_eof3394: cs = 3394; goto _test_eof; 
	_test_eof3395: cs = 3395; goto _test_eof; 
	_test_eof3396: cs = 3396; goto _test_eof; 
	_test_eof3397: cs = 3397; goto _test_eof; 
	_test_eof3398: cs = 3398; goto _test_eof; 
	_test_eof3399: cs = 3399; goto _test_eof; 
	_test_eof3400: cs = 3400; goto _test_eof; 
	_test_eof3401: cs = 3401; goto _test_eof; 
	_test_eof3402: cs = 3402; goto _test_eof; 
	_test_eof3403: cs = 3403; goto _test_eof; 
	_test_eof3404: cs = 3404; goto _test_eof; 
	_test_eof3405: cs = 3405; goto _test_eof; 
	_test_eof3406: cs = 3406; goto _test_eof; 
	_test_eof3407: cs = 3407; goto _test_eof; 
	_test_eof3408: cs = 3408; goto _test_eof; 
	_test_eof3409: cs = 3409; goto _test_eof; 
	_test_eof3410: cs = 3410; goto _test_eof; 
	_test_eof3411: cs = 3411; goto _test_eof; 
	_test_eof3412: cs = 3412; goto _test_eof; 
	_test_eof3413: cs = 3413; goto _test_eof; 
	_test_eof3414: cs = 3414; goto _test_eof; 
	_test_eof3415: cs = 3415; goto _test_eof; 
	_test_eof3416: cs = 3416; goto _test_eof; 
	_test_eof3417: cs = 3417; goto _test_eof; 
	_test_eof3418: cs = 3418; goto _test_eof; 
	_test_eof3419: cs = 3419; goto _test_eof; 
	_test_eof3420: cs = 3420; goto _test_eof; 
	_test_eof3421: cs = 3421; goto _test_eof; 
	_test_eof3422: cs = 3422; goto _test_eof; 
	_test_eof3423: cs = 3423; goto _test_eof; 
	_test_eof3424: cs = 3424; goto _test_eof; 
	_test_eof3425: cs = 3425; goto _test_eof; 
	_test_eof3426: cs = 3426; goto _test_eof; 
	_test_eof3427: cs = 3427; goto _test_eof; 
	_test_eof3428: cs = 3428; goto _test_eof; 
	_test_eof3429: cs = 3429; goto _test_eof; 
	_test_eof3430: cs = 3430; goto _test_eof; 
	_test_eof3431: cs = 3431; goto _test_eof; 
	_test_eof3432: cs = 3432; goto _test_eof; 
	_test_eof3433: cs = 3433; goto _test_eof; 
	_test_eof3434: cs = 3434; goto _test_eof; 
	_test_eof3435: cs = 3435; goto _test_eof; 
	_test_eof3436: cs = 3436; goto _test_eof; 
	_test_eof3437: cs = 3437; goto _test_eof; 
	_test_eof3438: cs = 3438; goto _test_eof; 
	_test_eof3439: cs = 3439; goto _test_eof; 
	_test_eof3440: cs = 3440; goto _test_eof; 
	_test_eof3441: cs = 3441; goto _test_eof; 
	_test_eof3442: cs = 3442; goto _test_eof; 
	_test_eof3443: cs = 3443; goto _test_eof; 
	_test_eof3444: cs = 3444; goto _test_eof; 
	_test_eof3445: cs = 3445; goto _test_eof; 

	_test_eof: {}
	_out: {}
	}

/* #line 21 "inputs/train.rl" */
return n; }
